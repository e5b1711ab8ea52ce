import type { Rule } from '../../rule.js';
import { isBatch } from '../../subject/subject.js';

export const livenessWithoutRestart: Rule = {
  id: 'liveness-without-restart',
  severity: 'warning',
  summary: 'a liveness probe kills a container that is not restarted',
  reason:
    'With restartPolicy: Never, the kubelet kills the container when the probe reaches its failureThreshold, and the pod ends.',
  sources: ['https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#restart-policy'],
  checkProbe: ({ type, path, member }, subject) => {
    if (type !== 'liveness' || member.isSidecar || isBatch(subject)) return [];
    if (subject.pod.spec.restartPolicy !== 'Never') return [];
    return {
      path,
      message: 'with restartPolicy: Never, a failure ends the pod for good',
      hint: 'remove the probe, or change the restartPolicy',
    };
  },
};
