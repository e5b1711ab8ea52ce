import type { Decoded } from '../schema/decoded.js';
import { warningsForPodTemplate } from './pod-warnings.js';
import { type ApiWarning, claimWarnings, nameWarning } from './warning.js';

const COMPLETIONS_SOFT_LIMIT = 100_000;
const PARALLELISM_SOFT_LIMIT = 10_000;

/** What most workloads are warned of: their name, and then their template's. */
export function warningsForWorkload(
  name: string,
  template: Decoded<'PodTemplateSpec'> | undefined,
  path: string,
): readonly ApiWarning[] {
  const own = nameWarning(name, 'Pod names and hostnames');
  return [...own, ...warningsForPodTemplate(template, path)];
}

/** Ports WarningsOnCreate of Jobs and CronJobs, and WarningsForJobSpec (pkg/api/job/warnings.go). */
export function warningsForJob(
  name: string,
  spec: Decoded<'JobSpec'> = {},
  path: string,
): readonly ApiWarning[] {
  const { completionMode, completions = 0, parallelism = 0, template } = spec;
  const isLarge = completions > COMPLETIONS_SOFT_LIMIT && parallelism > PARALLELISM_SOFT_LIMIT;
  const message =
    'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';
  return [
    ...nameWarning(name, 'Pod names and hostnames'),
    ...(completionMode === 'Indexed' && isLarge ? [{ field: path, message }] : []),
    ...warningsForPodTemplate(template, `${path}.template`),
  ];
}

/** Ports WarningsOnCreate (pkg/registry/apps/statefulset/strategy.go). */
export function warningsForStatefulSet(
  spec: Decoded<'StatefulSetSpec'> = {},
): readonly ApiWarning[] {
  const { template, volumeClaimTemplates = [], revisionHistoryLimit = 0 } = spec;
  const field = 'spec.revisionHistoryLimit';
  const message = 'a negative value retains all historical revisions; a value >= 0 is recommended';
  return [
    ...warningsForPodTemplate(template, 'spec.template'),
    ...volumeClaimTemplates.flatMap((claim, index) =>
      claimWarnings(claim.spec?.resources, `spec.volumeClaimTemplates[${index}]`),
    ),
    ...(revisionHistoryLimit < 0 ? [{ field, message }] : []),
  ];
}
