import { PROBE_CONCEPTS, type Rule } from '../../rule.js';

export const livenessUsesReadinessPath: Rule = {
  id: 'liveness-uses-readiness-path',
  severity: 'warning',
  summary: 'the liveness probe uses a readiness endpoint',
  reason:
    'A readiness endpoint fails on purpose: during startup, while draining, when a dependency is down. None of these is a reason to restart.',
  sources: [PROBE_CONCEPTS, 'https://github.com/tektoncd/triggers/pull/1107'],
  checkProbe: ({ type, probe, path, member }) => {
    const asked = probe.httpGet?.path ?? '';
    if (type !== 'liveness' || !/(?:^|[/_-])ready?z?(?:iness)?(?:$|[/?_-])/i.test(asked)) return [];
    const { readinessProbe } = member.container;
    // The same endpoint for both is another rule's.
    if (readinessProbe?.httpGet?.path === asked) return [];
    return {
      path: `${path}.httpGet.path`,
      message: `${asked} tells whether the container can take traffic, not whether it needs a restart`,
      hint: 'use the liveness endpoint, often /livez or /healthz',
    };
  },
};
