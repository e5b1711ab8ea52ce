import type { Decoded, v1 } from '../../../api/index.js';
import {
  ACCEPTED,
  invalidValue,
  joinUpdates,
  type Update,
  validateImmutableField,
  withNodeAffinityOf,
} from './update.js';

type JobSpec = Decoded<v1.JobSpec>;
type Template = Decoded<v1.PodTemplateSpec>;
type Container = Decoded<v1.Container>;

/**
 * Validates the update of a Job. A suspended one is assumed to have no pods. Ports ValidateJobSpecUpdate
 * (pkg/apis/batch/validation/validation.go) with the feature gates of v1.36.
 */
export function validateJobUpdate(after: Decoded<v1.Job>, before: Decoded<v1.Job>): Update {
  const [now, old] = [after.spec ?? {}, before.spec ?? {}];
  const immutable = (field: keyof JobSpec): Update =>
    validateImmutableField(now[field], old[field], `spec.${field}`);
  return joinUpdates(
    validateCompletions(now, old),
    immutable('selector'),
    validatePodTemplateUpdate(now, old),
    immutable('completionMode'),
    immutable('podFailurePolicy'),
    immutable('backoffLimitPerIndex'),
    immutable('managedBy'),
    immutable('successPolicy'),
  );
}

function validateCompletions(now: JobSpec, old: JobSpec): Update {
  const field = 'spec.completions';
  const change = validateImmutableField(now.completions, old.completions, field);
  if (now.completionMode !== 'Indexed' || change.errors.length === 0) return change;
  if (now.completions === undefined || now.completions === now.parallelism) return ACCEPTED;
  const detail = 'can only be modified in tandem with spec.parallelism';
  return { ...change, errors: [invalidValue(field, detail)] };
}

function validatePodTemplateUpdate(now: JobSpec, old: JobSpec): Update {
  const [after, before] = [now.template ?? {}, old.template ?? {}];
  if (old.suspend !== true) return validateImmutableField(after, before, 'spec.template');
  const munged = withSchedulingOf(before, after);
  const spec = withResourcesOf(munged.spec ?? {}, after.spec ?? {});
  return validateImmutableField(after.spec, spec, 'spec.template.spec');
}

/** Returns the old template with the scheduling directives of the new one. */
function withSchedulingOf(before: Template, after: Template): Template {
  const { nodeSelector, tolerations, schedulingGates } = after.spec ?? {};
  const affinity = withNodeAffinityOf(before.spec?.affinity, after.spec?.affinity);
  return {
    ...before,
    metadata: after.metadata,
    spec: { ...before.spec, affinity, nodeSelector, tolerations, schedulingGates },
  };
}

/** Ports the change of the old spec in validatePodResourceUpdatesOnly. */
function withResourcesOf(
  before: Decoded<v1.PodSpec>,
  after: Decoded<v1.PodSpec>,
): Decoded<v1.PodSpec> {
  return {
    ...before,
    containers: resized(before.containers, after.containers),
    initContainers: resized(before.initContainers, after.initContainers),
  };
}

function resized(
  before: readonly Container[] | undefined,
  after: readonly Container[] | undefined,
): readonly Container[] | undefined {
  if (before?.length !== after?.length) return before;
  return before?.map((container, index) => {
    const now = after?.[index];
    if (now === undefined || now.name !== container.name) return container;
    return { ...container, resources: now.resources };
  });
}
