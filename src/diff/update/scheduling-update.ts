import { type Decoded, type FieldError, forbidden, ownField } from '../../api/index.js';
import { same } from '../field-change.js';
import { invalidValue } from './update.js';

type Toleration = Decoded<'Toleration'>;
type Gate = Decoded<'PodSchedulingGate'>;
type NodeAffinity = Decoded<'NodeAffinity'>;
type Term = Decoded<'NodeSelectorTerm'>;

/** Ports validateOnlyAddedTolerations (pkg/apis/core/validation/validation.go); creation has checked them already. */
export function validateOnlyAddedTolerations(
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

export function validateOnlyDeletedSchedulingGates(
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
export function validateNodeSelectorMutation(
  after: Readonly<Record<string, string>> = {},
  before: Readonly<Record<string, string>> = {},
  field: string,
): FieldError[] {
  if (Object.entries(before).every(([key, value]) => ownField(after, key) === value)) return [];
  const detail = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
  return [invalidValue(field, detail)];
}

export function validateNodeAffinityMutation(
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
