import { PROBE_CONCEPTS, type Rule } from '../../rule.js';
import { isBackend, isBatch } from '../../subject/subject.js';

export const readinessProbeMissing: Rule = {
  id: 'readiness-probe-missing',
  severity: 'info',
  optIn: true,
  summary: 'a serving container has no readiness probe',
  reason:
    'Like no-readiness-probe, but also for containers whose Service is not in the manifests. kube-linter and Polaris want a readiness probe on every container.',
  sources: [
    PROBE_CONCEPTS,
    'https://github.com/FairwindsOps/polaris/blob/master/docs/checks/reliability.md',
    'https://github.com/stackrox/kube-linter/blob/main/docs/generated/checks.md',
  ],
  checkContainer: ({ container, path }, subject) =>
    isBatch(subject) || container.readinessProbe !== undefined || isBackend(subject, container)
      ? []
      : {
          path,
          message: `container "${container.name}" has no readiness probe: it counts as ready as soon as it runs`,
        },
};
