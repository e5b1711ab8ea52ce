import { set } from '../fix/change.js';
import type { Rule } from '../rule.js';
import { probesOf } from '../subject/members.js';

export const timeoutExceedsPeriod: Rule = {
  id: 'timeout-exceeds-period',
  severity: 'warning',
  summary: 'an attempt may take as long as the period, or longer',
  reason:
    'The kubelet makes one attempt at a time and drops the ticks that it misses: a container that hangs is asked without a pause, and failures come a timeout apart instead of a period.',
  sources: [
    'https://github.com/openshift/openshift-docs/pull/32219',
    'https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/',
  ],
  check: ({ members }) =>
    probesOf(members).flatMap(({ probe, path }) => {
      const { timeoutSeconds, periodSeconds } = probe;
      // Of a period of one second nothing shorter is left.
      if (timeoutSeconds < periodSeconds || timeoutSeconds === 1) return [];
      const effect =
        timeoutSeconds === periodSeconds
          ? 'while it hangs, one attempt follows the other without a pause'
          : 'while it hangs, ticks are dropped, and failures come a timeout apart';
      return [
        {
          path: `${path}.timeoutSeconds`,
          message: `a timeout of ${timeoutSeconds} s with a period of ${periodSeconds} s: ${effect}`,
          hint: 'make the period longer than the timeout',
          changes: [set(`${path}.periodSeconds`, 2 * timeoutSeconds)],
        },
      ];
    }),
};
