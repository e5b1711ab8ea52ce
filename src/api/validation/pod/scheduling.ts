import type { Decoded } from '../../schema/decoded.js';
import {
  validateOptional,
  validatePositiveField,
  validateQualifiedName,
  validateSupported,
  validateSupportedIfSet,
} from '../common/checks.js';
import { asJson, type FieldPath } from '../common/field-error.js';
import { isValidLabelValue } from '../common/formats.js';
import { validateLabelSelector } from '../meta/label-selector.js';

type Constraint = Decoded<'TopologySpreadConstraint'>;
type Toleration = Decoded<'Toleration'>;
type LabelSelector = Decoded<'LabelSelector'>;

const ACTIONS = ['DoNotSchedule', 'ScheduleAnyway'];
const NODE_POLICIES = ['Honor', 'Ignore'];
const TOLERATION_OPERATORS = ['Equal', 'Exists'];
/** Operators whose gate is off. */
const NUMERIC_OPERATORS = ['Lt', 'Gt'];
const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Ports validateTopologySpreadConstraints (pkg/apis/core/validation/validation.go). */
export function validateTopologySpreadConstraints(
  constraints: readonly Constraint[] = [],
  at: FieldPath,
): void {
  at.each(constraints, (constraint, own, index) => {
    const { topologyKey = '', labelSelector, matchLabelKeys } = constraint;
    validatePositiveField(constraint.maxSkew, own.child('maxSkew'));
    if (topologyKey === '') own.child('topologyKey').required('can not be empty');
    validateSupported(constraint.whenUnsatisfiable, ACTIONS, own.child('whenUnsatisfiable'));
    validateSpreadConstraintNotRepeat(constraint, constraints.slice(index + 1), own);
    validateMinDomains(constraint, own.child('minDomains'));
    for (const field of ['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const) {
      validateSupportedIfSet(constraint[field], NODE_POLICIES, own.child(field));
    }
    validateMatchLabelKeysAndMismatchLabelKeys({ matchLabelKeys, labelSelector }, own);
    validateLabelSelector(labelSelector, own.child('labelSelector'));
  });
}

/** Ports ValidateSpreadConstraintNotRepeat (pkg/apis/core/validation/validation.go). */
function validateSpreadConstraintNotRepeat(
  constraint: Constraint,
  rest: readonly Constraint[],
  at: FieldPath,
): void {
  const show = ({ topologyKey = '', whenUnsatisfiable = '' }: Constraint): string =>
    `{${topologyKey}, ${whenUnsatisfiable}}`;
  const shown = show(constraint);
  if (!rest.some((other) => show(other) === shown)) return;
  at.child('{topologyKey, whenUnsatisfiable}').duplicate(shown);
}

/** Ports validateMinDomains (pkg/apis/core/validation/validation.go). */
function validateMinDomains(constraint: Constraint, at: FieldPath): void {
  const { minDomains, whenUnsatisfiable = '' } = constraint;
  if (minDomains === undefined) return;
  validatePositiveField(minDomains, at);
  if (whenUnsatisfiable === 'DoNotSchedule') return;
  const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
  at.invalid(minDomains, detail);
}

/** Label keys of the pod whose values become part of its selector. */
interface LabelKeys {
  readonly matchLabelKeys?: readonly string[] | undefined;
  readonly mismatchLabelKeys?: readonly string[] | undefined;
  readonly labelSelector?: LabelSelector | undefined;
}

/** Ports ValidateMatchLabelKeysAndMismatchLabelKeys (pkg/apis/core/validation/validation.go). */
export function validateMatchLabelKeysAndMismatchLabelKeys(source: LabelKeys, at: FieldPath): void {
  const { matchLabelKeys = [], mismatchLabelKeys = [], labelSelector } = source;
  validateLabelKeys(matchLabelKeys, labelSelector, at.child('matchLabelKeys'));
  validateLabelKeys(mismatchLabelKeys, labelSelector, at.child('mismatchLabelKeys'));
  validateNotInSelector(matchLabelKeys, labelSelector, at);
  at.child('matchLabelKeys').each(matchLabelKeys, (key, keyAt) => {
    if (!mismatchLabelKeys.includes(key)) return;
    keyAt.invalid(key, 'exists in both matchLabelKeys and mismatchLabelKeys');
  });
}

function validateLabelKeys(
  keys: readonly string[],
  selector: LabelSelector | undefined,
  at: FieldPath,
): void {
  if (selector !== undefined) at.each(keys, validateQualifiedName);
  else if (keys.length > 0) at.forbidden('must not be specified when labelSelector is not set');
}

/**
 * The selector has the expressions that the keys stand for by now, so a key that comes a second time was
 * there before. The server leaves `matchLabelKeys` out of the path.
 */
function validateNotInSelector(
  keys: readonly string[],
  { matchLabels = {}, matchExpressions = [] }: LabelSelector = {},
  at: FieldPath,
): void {
  const seen = new Set(Object.keys(matchLabels));
  for (const { key = '' } of matchExpressions) {
    const index = keys.lastIndexOf(key);
    if (index >= 0 && seen.has(key)) {
      at.item(index).invalid(key, 'exists in both matchLabelKeys and labelSelector');
    }
    seen.add(key);
  }
}

/** Ports ValidateTolerations (pkg/apis/core/validation/validation.go). */
export function validateTolerations(
  tolerations: readonly Toleration[] | undefined,
  at: FieldPath,
): void {
  at.each(tolerations, (toleration, own) => {
    const { key = '', operator = '', effect = '', tolerationSeconds } = toleration;
    validateOptional(key, own.child('key'), validateQualifiedName);
    if (key === '' && operator !== 'Exists') {
      const detail =
        'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      own.child('operator').invalid(asJson(operator), detail);
    }
    if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
      const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
      own.child('effect').invalid(asJson(effect), detail);
    }
    validateTolerationOperator(toleration, own.child('operator'));
    validateOptional(effect, own.child('effect'), (each, effectAt) => {
      validateSupported(each, EFFECTS, effectAt);
    });
  });
}

function validateTolerationOperator(
  { operator = '', value = '' }: Toleration,
  at: FieldPath,
): void {
  if (operator === '' || operator === 'Equal') {
    const complaints = isValidLabelValue(value);
    if (complaints.length > 0) at.invalid(value, complaints.join(';'));
  } else if (operator === 'Exists') {
    if (value !== '') at.invalid(value, "value must be empty when `operator` is 'Exists'");
  } else {
    const numeric = NUMERIC_OPERATORS.includes(operator) ? NUMERIC_OPERATORS : [];
    at.notSupported(operator, [...TOLERATION_OPERATORS, ...numeric]);
  }
}
