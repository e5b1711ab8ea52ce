import type { Rule } from '../../rule.js';

export const startupProbeMissing: Rule = {
  id: 'startup-probe-missing',
  severity: 'info',
  optIn: true,
  summary: 'a liveness probe runs from the start',
  reason:
    'Without a startup probe the liveness probe must allow for the slowest start, and then takes just as long to detect a hang; otherwise it kills slow starts.',
  sources: [
    'https://kubernetes.io/docs/concepts/workloads/pods/probes/',
    'https://github.com/stackrox/kube-linter/issues/505',
  ],
  check: ({ members }) =>
    members
      .filter(({ container }) => container.livenessProbe && !container.startupProbe)
      .map(({ container, path }) => ({
        path,
        message: `container "${container.name}" has a liveness probe but no startup probe: the liveness probe must allow for the slowest start`,
      })),
};
