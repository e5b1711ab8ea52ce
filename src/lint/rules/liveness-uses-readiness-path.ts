import type { Rule } from '../rule.js';
import { probesOf } from '../subject/members.js';

export const livenessUsesReadinessPath: Rule = {
  id: 'liveness-uses-readiness-path',
  severity: 'warning',
  summary: 'the liveness probe asks whether the container is ready',
  reason:
    'A readiness endpoint fails on purpose: while it starts, while it drains, while a dependency is away. None of that is a reason for a restart.',
  sources: [
    'https://kubernetes.io/docs/concepts/workloads/pods/probes/',
    'https://github.com/tektoncd/triggers/pull/1107',
  ],
  check: ({ members }) =>
    probesOf(members).flatMap(({ type, probe, path, member }) => {
      const asked = probe.httpGet?.path ?? '';
      if (type !== 'liveness' || !/(?:^|[/_-])ready?z?(?:iness)?(?:$|[/?_-])/i.test(asked))
        return [];
      const { readinessProbe } = member.container;
      // The same endpoint for both is another rule's.
      if (readinessProbe?.httpGet?.path === asked) return [];
      return {
        path: `${path}.httpGet.path`,
        message: `${asked} says whether it can take traffic, not whether it needs a restart`,
        hint: 'ask its liveness endpoint, often /livez or /healthz',
      };
    }),
};
