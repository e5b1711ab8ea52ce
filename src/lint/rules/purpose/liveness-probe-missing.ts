import type { Rule } from '../../rule.js';
import { isBatch } from '../../subject/subject.js';

export const livenessProbeMissing: Rule = {
  id: 'liveness-probe-missing',
  severity: 'info',
  optIn: true,
  summary: 'a container has no liveness probe',
  reason:
    'A container that hangs is never restarted. kube-linter and Polaris want a liveness probe on every container; the Kubernetes documentation does not: a process that exits when it is broken needs none.',
  sources: [
    'https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/',
    'https://github.com/stackrox/kube-linter/blob/main/docs/generated/checks.md',
    'https://github.com/FairwindsOps/polaris/blob/master/docs/checks/reliability.md',
  ],
  checkContainer: ({ container, path }, subject) =>
    isBatch(subject) || container.livenessProbe !== undefined
      ? []
      : {
          path,
          message: `container "${container.name}" has no liveness probe: if it hangs, it is not restarted`,
        },
};
