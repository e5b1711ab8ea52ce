import { set } from '../../fix/change.js';
import type { Rule } from '../../rule.js';

export const zeroGracePeriod: Rule = {
  id: 'zero-grace-period',
  severity: 'warning',
  summary: 'containers are killed without a chance to shut down',
  reason:
    'With a grace period of 0 a container has no time to react to TERM: connections break, and a StatefulSet may run two instances of the same pod at once.',
  sources: [
    'https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#deployment-and-scaling-guarantees',
    'https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-termination-forced',
  ],
  check: ({ pod, kind }) =>
    // An agent that is one of its kind on the node gives way to the next one at once.
    pod.spec.terminationGracePeriodSeconds !== 0 || kind === 'DaemonSet'
      ? []
      : [
          {
            path: 'spec.terminationGracePeriodSeconds',
            message: 'containers are killed without a chance to shut down',
            hint: 'the default is 30',
            changes: [set('spec.terminationGracePeriodSeconds', 30)],
          },
        ],
};
