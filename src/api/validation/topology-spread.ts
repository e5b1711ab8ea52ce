import { duplicate, type FieldError, invalid, notSupported, required } from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';
import { validatePositiveField } from './common.js';
import { validateLabelKeys } from './label-keys.js';
import { validateLabelSelector } from './label-selector.js';

type Constraint = Decoded<'TopologySpreadConstraint'>;

const ACTIONS = ['DoNotSchedule', 'ScheduleAnyway'];
const NODE_POLICIES = ['Honor', 'Ignore'];

/** Ports validateTopologySpreadConstraints (pkg/apis/core/validation/validation.go). */
export function validateTopologySpreadConstraints(
  constraints: readonly Constraint[] = [],
  path: string,
): FieldError[] {
  return constraints.flatMap((constraint, index) => {
    const { labelSelector, matchLabelKeys } = constraint;
    const at = `${path}[${index}]`;
    return [
      ...validateOwn(constraint, at),
      ...validateNotRepeated(constraint, constraints.slice(index + 1), at),
      ...validateMinDomains(constraint, `${at}.minDomains`),
      ...validateNodePolicy(constraint.nodeAffinityPolicy, `${at}.nodeAffinityPolicy`),
      ...validateNodePolicy(constraint.nodeTaintsPolicy, `${at}.nodeTaintsPolicy`),
      ...validateLabelKeys({ matchLabelKeys, labelSelector }, at),
      ...validateLabelSelector(labelSelector, `${at}.labelSelector`),
    ];
  });
}

function validateOwn(constraint: Constraint, path: string): FieldError[] {
  const { maxSkew = 0, topologyKey = '', whenUnsatisfiable = '' } = constraint;
  return [
    ...validatePositiveField(maxSkew, `${path}.maxSkew`),
    ...(topologyKey === '' ? [required(`${path}.topologyKey`, 'can not be empty')] : []),
    ...(ACTIONS.includes(whenUnsatisfiable)
      ? []
      : [notSupported(`${path}.whenUnsatisfiable`, whenUnsatisfiable, ACTIONS)]),
  ];
}

/** Ports ValidateSpreadConstraintNotRepeat (pkg/apis/core/validation/validation.go). */
function validateNotRepeated(
  { topologyKey = '', whenUnsatisfiable = '' }: Constraint,
  rest: readonly Constraint[],
  path: string,
): FieldError[] {
  const repeats = rest.some(
    (other) =>
      (other.topologyKey ?? '') === topologyKey &&
      (other.whenUnsatisfiable ?? '') === whenUnsatisfiable,
  );
  if (!repeats) return [];
  const at = `${path}.{topologyKey, whenUnsatisfiable}`;
  return [duplicate(at, `{${topologyKey}, ${whenUnsatisfiable}}`)];
}

/** Ports validateMinDomains (pkg/apis/core/validation/validation.go). */
function validateMinDomains(
  { minDomains, whenUnsatisfiable = '' }: Constraint,
  path: string,
): FieldError[] {
  if (minDomains === undefined) return [];
  const errors = validatePositiveField(minDomains, path);
  if (whenUnsatisfiable === 'DoNotSchedule') return errors;
  const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
  return [...errors, invalid(path, minDomains, detail)];
}

function validateNodePolicy(policy: string | undefined, path: string): FieldError[] {
  if (policy === undefined || NODE_POLICIES.includes(policy)) return [];
  return [notSupported(path, policy, NODE_POLICIES)];
}
