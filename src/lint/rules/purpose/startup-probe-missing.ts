import { PROBE_CONCEPTS, type Rule } from '../../rule.js';

export const startupProbeMissing: Rule = {
  id: 'startup-probe-missing',
  severity: 'info',
  optIn: true,
  summary: 'a liveness probe runs from the start',
  reason:
    'Without a startup probe the liveness probe must allow for the slowest start, and then takes just as long to detect a hang; otherwise it kills slow starts.',
  sources: [PROBE_CONCEPTS, 'https://github.com/stackrox/kube-linter/issues/505'],
  checkContainer: ({ container, path }) =>
    container.livenessProbe === undefined || container.startupProbe !== undefined
      ? []
      : {
          path,
          message: `container "${container.name}" has a liveness probe but no startup probe: the liveness probe must allow for the slowest start`,
        },
};
