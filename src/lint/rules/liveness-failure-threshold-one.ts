import { set } from '../fix/change.js';
import type { Rule } from '../rule.js';
import { probesOf } from '../subject/members.js';

export const livenessFailureThresholdOne: Rule = {
  id: 'liveness-failure-threshold-one',
  severity: 'warning',
  summary: 'one failed attempt restarts the container',
  reason:
    'A single lost packet, a pause of the garbage collector or a busy node is enough. The default is 3 for that reason.',
  sources: [
    'https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/',
    'https://github.com/datacommonsorg/website/pull/6624',
  ],
  check: ({ members }) =>
    probesOf(members).flatMap(({ type, probe, path }) =>
      type !== 'liveness' || probe.failureThreshold !== 1
        ? []
        : [
            {
              path: `${path}.failureThreshold`,
              message: 'one failed attempt restarts the container',
              hint: 'ask for several in a row; the default is 3',
              changes: [set(`${path}.failureThreshold`, 3)],
            },
          ],
    ),
};
