import {
  asJson,
  type FieldError,
  forbidden,
  invalid,
  MIRROR_POD_KEY,
} from '../../../api/admission/index.js';
import { type Decoded, ownField, type v1 } from '../../../api/index.js';
import { DEFAULT_BEHAVIOR } from '../../../kubelet/release.js';
import { changedFields, type FieldChange, same } from '../field-change.js';
import { invalidValue, type Update, withNodeAffinityOf } from './update.js';

type Pod = Decoded<v1.Pod>;
type PodSpec = Decoded<v1.PodSpec>;
type Container = Decoded<v1.Container>;

const UPDATABLE =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/**
 * Validates the update of a running pod; both pods are known to be valid. Ports ValidatePodUpdate
 * (pkg/apis/core/validation/validation.go).
 */
export function validatePodUpdate(
  after: Pod,
  before: Pod,
  { updatesProbes } = DEFAULT_BEHAVIOR,
): Update {
  const [now, old] = [after.spec ?? {}, before.spec ?? {}];
  const munged = munge(now, old, updatesProbes);
  const others = changedFields(old, munged, 'spec');
  const annotations = annotationErrors(after, before);
  const errors = [...annotations, ...fieldErrors(now, old)];
  const changes = changedFields(before, after, '');
  const refused = [
    ...others,
    ...changes.filter((change) => errors.some((error) => isRefusedBy(change, error))),
  ];
  const counts = containerCountErrors(now, old);
  if (counts.length > 0) return { errors: [...annotations, ...counts], refused };
  const rest = others.length > 0 ? [forbidden('spec', UPDATABLE)] : [];
  return { errors: [...errors, ...rest], refused };
}

/** Reports whether an error concerns a changed field, or a field around or in it. */
function isRefusedBy({ path }: FieldChange, { field }: FieldError): boolean {
  const within = (inner: string, outer: string): boolean =>
    inner === outer || (inner.startsWith(outer) && /^[.[]/.test(inner.slice(outer.length)));
  return within(path, field) || within(field, path);
}

function fieldErrors(now: PodSpec, old: PodSpec): FieldError[] {
  const tolerations = 'spec.tolerations';
  const gates = 'spec.schedulingGates';
  return [
    ...activeDeadlineErrors(now, old),
    ...validateOnlyAddedTolerations(now.tolerations, old.tolerations, tolerations),
    ...validateOnlyDeletedSchedulingGates(now.schedulingGates, old.schedulingGates, gates),
    ...(isGated(old) ? gatedErrors(now, old) : []),
  ];
}

/** Accepts a first deadline, and an earlier one. */
function activeDeadlineErrors(now: PodSpec, old: PodSpec): FieldError[] {
  const field = 'spec.activeDeadlineSeconds';
  const [limit, before] = [now.activeDeadlineSeconds, old.activeDeadlineSeconds];
  if (before === undefined) return [];
  if (limit === undefined) {
    return [invalid(field, asJson(null), 'must not update from a positive integer to nil value')];
  }
  if (limit <= before) return [];
  return [invalid(field, limit, 'must be less than or equal to previous value')];
}

function isGated({ schedulingGates = [] }: PodSpec): boolean {
  return schedulingGates.length > 0;
}

function gatedErrors(now: PodSpec, old: PodSpec): FieldError[] {
  const affinity = 'spec.affinity.nodeAffinity';
  const [after, before] = [now.affinity?.nodeAffinity, old.affinity?.nodeAffinity];
  return [
    ...validateNodeSelectorMutation(now.nodeSelector, old.nodeSelector),
    ...(same(after, before) ? [] : validateNodeAffinityMutation(after, before, affinity)),
  ];
}

/** Ports ValidateContainerUpdates. */
function containerCountErrors(now: PodSpec, old: PodSpec): FieldError[] {
  const field = (['containers', 'initContainers'] as const).find(
    (list) => (now[list] ?? []).length !== (old[list] ?? []).length,
  );
  if (field === undefined) return [];
  return [forbidden(`spec.${field}`, 'pod updates may not add or remove containers')];
}

/** Returns the new spec with the old values of all fields that may change: any other difference is an error. */
function munge(now: PodSpec, old: PodSpec, updatesProbes: boolean): PodSpec {
  const { activeDeadlineSeconds, tolerations, schedulingGates, nodeSelector } = old;
  const wasNegative = (old.terminationGracePeriodSeconds ?? 0) < 0;
  const grace = now.terminationGracePeriodSeconds;
  // Only the node affinity of a pod with scheduling gates may change.
  const affinity = withNodeAffinityOf(now.affinity, old.affinity);
  return {
    ...now,
    containers: withOldFields(now.containers, old.containers, updatesProbes),
    initContainers: withOldFields(now.initContainers, old.initContainers, updatesProbes),
    activeDeadlineSeconds,
    tolerations,
    schedulingGates,
    terminationGracePeriodSeconds:
      wasNegative && grace === 1 ? old.terminationGracePeriodSeconds : grace,
    ...(isGated(old) && { nodeSelector, affinity }),
  };
}

function withOldFields(
  now: readonly Container[] | undefined,
  old: readonly Container[] | undefined,
  updatesProbes: boolean,
): readonly Container[] | undefined {
  return now?.map((container, index) => {
    const { image, startupProbe, readinessProbe, livenessProbe } = old?.[index] ?? container;
    const probes = updatesProbes && { startupProbe, readinessProbe, livenessProbe };
    return { ...container, ...probes, image: image ?? container.image };
  });
}

/** Ports ValidatePodSpecificAnnotationUpdates, without AppArmor's deprecated annotations. */
function annotationErrors({ metadata: after }: Pod, { metadata: before }: Pod): FieldError[] {
  const [now, old] = [after?.annotations ?? {}, before?.annotations ?? {}];
  const changed = Object.keys({ ...old, ...now }).filter(
    (key) => ownField(now, key) !== ownField(old, key),
  );
  return changed.flatMap((key) => {
    if (key !== MIRROR_POD_KEY) return [];
    const verb = Object.hasOwn(old, key) ? 'remove or update' : 'add';
    return [forbidden(`metadata.annotations[${key}]`, `may not ${verb} mirror pod annotation`)];
  });
}

type Toleration = Decoded<v1.Toleration>;
type Gate = Decoded<v1.PodSchedulingGate>;
type NodeAffinity = Decoded<v1.NodeAffinity>;
type Term = Decoded<v1.NodeSelectorTerm>;

/** Ports validateOnlyAddedTolerations (pkg/apis/core/validation/validation.go); the tolerations are known to be valid. */
function validateOnlyAddedTolerations(
  after: readonly Toleration[] = [],
  before: readonly Toleration[] = [],
  field: string,
): FieldError[] {
  const kept = before.every((old) =>
    after.some((now) => same({ ...old, tolerationSeconds: now.tolerationSeconds }, now)),
  );
  if (kept) return [];
  return [forbidden(field, 'existing toleration can not be modified except its tolerationSeconds')];
}

function validateOnlyDeletedSchedulingGates(
  after: readonly Gate[] = [],
  before: readonly Gate[] = [],
  field: string,
): FieldError[] {
  return after.flatMap(({ name = '' }, index) => {
    if (before.some((gate) => gate.name === name)) return [];
    const detail = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return [forbidden(`${field}[${index}].name`, detail)];
  });
}

/** Validates a node selector that changes under scheduling gates. Ports validateNodeSelectorMutation. */
function validateNodeSelectorMutation(
  after: Readonly<Record<string, string>> = {},
  before: Readonly<Record<string, string>> = {},
): FieldError[] {
  if (Object.entries(before).every(([key, value]) => ownField(after, key) === value)) return [];
  const detail = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
  return [invalidValue('spec.nodeSelector', detail)];
}

function validateNodeAffinityMutation(
  after: NodeAffinity | undefined,
  before: NodeAffinity | undefined,
  field: string,
): FieldError[] {
  const olds = before?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const news = after?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const path = `${field}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`;
  if (olds.length > 0 && olds.length !== news.length) {
    const detail = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed';
    return [invalidValue(path, detail)];
  }
  return olds.flatMap((term, index) => {
    if (hasOnlyAdditions(news[index] ?? {}, term)) return [];
    const detail = 'only additions are allowed (no mutations or deletions)';
    return [invalidValue(`${path}[${index}]`, detail)];
  });
}

/** Ports validateNodeSelectorTermHasOnlyAdditions. */
function hasOnlyAdditions(after: Term, before: Term): boolean {
  const { matchExpressions = [], matchFields = [] } = before;
  const { matchExpressions: expressions = [], matchFields: fields = [] } = after;
  // A term without requirements matches nothing: an addition would make it match.
  if (matchExpressions.length + matchFields.length === 0) {
    return expressions.length + fields.length === 0;
  }
  return (
    same(expressions.slice(0, matchExpressions.length), matchExpressions) &&
    same(fields.slice(0, matchFields.length), matchFields)
  );
}
