/* Ported from pkg/apis/core/validation/validation.go, with its names. */

import { parseInt64 } from '../../../go/parse-int.js';
import { isEnabled, isServerSince } from '../../schema/api-server.js';
import type { Decoded, v1 } from '../../schema/schema.js';
import {
  validateDNS1123Label,
  validateDNS1123Subdomain,
  validateOptional,
  validatePositiveField,
  validateQualifiedName,
  validateSupported,
  validateSupportedIfSet,
} from '../common/checks.js';
import { asJson, type FieldPath } from '../common/field-error.js';
import { isValidLabelValue } from '../common/formats.js';
import {
  NOT_AN_OPERATOR,
  validateLabelSelector,
  validateLabelValues,
  validateOperator,
} from '../common/meta.js';

type Constraint = Decoded<v1.TopologySpreadConstraint>;
type Toleration = Decoded<v1.Toleration>;
type PodSpec = Decoded<v1.PodSpec>;

const ACTIONS = ['DoNotSchedule', 'ScheduleAnyway'];
const NODE_POLICIES = ['Honor', 'Ignore'];
const TOLERATION_OPERATORS = ['Equal', 'Exists'];
const NUMERIC_OPERATORS = ['Lt', 'Gt'];
const NOT_CANONICAL = 'must be a valid decimal integer in canonical form';
const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function validateTopologySpreadConstraints(
  constraints: readonly Constraint[] = [],
  at: FieldPath,
): void {
  at.each(constraints, (constraint, constraintAt, index) => {
    const { topologyKey = '', labelSelector, matchLabelKeys } = constraint;
    validatePositiveField(constraint.maxSkew, constraintAt.child('maxSkew'));
    if (topologyKey === '') constraintAt.child('topologyKey').required('can not be empty');
    validateSupported(
      constraint.whenUnsatisfiable,
      ACTIONS,
      constraintAt.child('whenUnsatisfiable'),
    );
    validateSpreadConstraintNotRepeat(constraint, constraints.slice(index + 1), constraintAt);
    validateMinDomains(constraint, constraintAt.child('minDomains'));
    for (const field of ['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const) {
      validateSupportedIfSet(constraint[field], NODE_POLICIES, constraintAt.child(field));
    }
    validateMatchLabelKeysAndMismatchLabelKeys({ matchLabelKeys, labelSelector }, constraintAt);
    validateLabelSelector(labelSelector, constraintAt.child('labelSelector'));
  });
}

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

function validateMinDomains(constraint: Constraint, at: FieldPath): void {
  const { minDomains, whenUnsatisfiable = '' } = constraint;
  if (minDomains === undefined) return;
  validatePositiveField(minDomains, at);
  if (whenUnsatisfiable === 'DoNotSchedule') return;
  const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
  at.invalid(minDomains, detail);
}

type LabelKeys = Pick<
  Decoded<v1.PodAffinityTerm>,
  'matchLabelKeys' | 'mismatchLabelKeys' | 'labelSelector'
>;

/** Validates the label keys of a pod whose values become part of its selector. */
function validateMatchLabelKeysAndMismatchLabelKeys(source: LabelKeys, at: FieldPath): void {
  const { matchLabelKeys = [], mismatchLabelKeys = [], labelSelector } = source;
  for (const [field, keys] of Object.entries({ matchLabelKeys, mismatchLabelKeys })) {
    const keysAt = at.child(field);
    if (labelSelector !== undefined) keysAt.each(keys, validateQualifiedName);
    else if (keys.length > 0)
      keysAt.forbidden('must not be specified when labelSelector is not set');
  }
  validateNotInSelector(matchLabelKeys, labelSelector, at);
  at.child('matchLabelKeys').each(matchLabelKeys, (key, keyAt) => {
    if (!mismatchLabelKeys.includes(key)) return;
    keyAt.invalid(key, 'exists in both matchLabelKeys and mismatchLabelKeys');
  });
}

/**
 * Reports a key that the selector also had before. The selector already contains the expressions made from the keys,
 * so such a key occurs twice. The server leaves `matchLabelKeys` out of the path.
 */
function validateNotInSelector(
  keys: readonly string[],
  { matchLabels = {}, matchExpressions = [] }: Decoded<v1.LabelSelector> = {},
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

export function validateTolerations(tolerations: PodSpec['tolerations'], at: FieldPath): void {
  at.each(tolerations, (toleration, tolerationAt) => {
    const { key = '', operator = '', effect = '', tolerationSeconds } = toleration;
    validateOptional(key, tolerationAt.child('key'), validateQualifiedName);
    if (key === '' && operator !== 'Exists') {
      const detail =
        'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      tolerationAt.child('operator').invalid(asJson(operator), detail);
    }
    if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
      const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
      tolerationAt.child('effect').invalid(asJson(effect), detail);
    }
    validateTolerationOperator(toleration, tolerationAt);
    validateOptional(effect, tolerationAt.child('effect'), (each, effectAt) => {
      validateSupported(each, EFFECTS, effectAt);
    });
  });
}

function validateTolerationOperator(
  { operator = '', value = '' }: Toleration,
  tolerationAt: FieldPath,
): void {
  const at = tolerationAt.child('operator');
  const isNumeric = NUMERIC_OPERATORS.includes(operator) && isServerSince('1.35', at.server);
  if (operator === '' || operator === 'Equal') {
    const complaints = isValidLabelValue(value);
    if (complaints.length > 0) at.invalid(value, complaints.join(';'));
  } else if (operator === 'Exists') {
    if (value !== '') at.invalid(value, "value must be empty when `operator` is 'Exists'");
  } else if (isNumeric && isEnabled('TaintTolerationComparisonOperators', at.server)) {
    validateDecimalInteger(value, tolerationAt.child('value'));
  } else {
    at.notSupported(operator, [...TOLERATION_OPERATORS, ...(isNumeric ? NUMERIC_OPERATORS : [])]);
  }
}

function validateDecimalInteger(value: string, at: FieldPath): void {
  const complaint = value === '' ? 'must be non-empty' : NOT_CANONICAL;
  if (!/^(?:0|-?[1-9]\d*)$/.test(value)) at.invalid(value, complaint);
  const parsed = parseInt64(value, 64);
  if (!parsed.ok) at.invalid(value, parsed.error);
}

type Requirement = Decoded<v1.NodeSelectorRequirement>;

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

export function validateAffinity(affinity: Decoded<v1.Affinity> = {}, at: FieldPath): void {
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity;
  if (nodeAffinity) validateNodeAffinity(nodeAffinity, at.child('nodeAffinity'));
  if (podAffinity) validatePodTerms(podAffinity, at.child('podAffinity'));
  if (podAntiAffinity) validatePodTerms(podAntiAffinity, at.child('podAntiAffinity'));
}

function validateNodeAffinity(affinity: Decoded<v1.NodeAffinity>, at: FieldPath): void {
  const { [REQUIRED]: selector, [PREFERRED]: preferred } = affinity;
  if (selector) {
    const { nodeSelectorTerms: terms = [] } = selector;
    const termsAt = at.child(REQUIRED).child('nodeSelectorTerms');
    if (terms.length === 0) termsAt.required('must have at least one node selector term');
    termsAt.each(terms, (term, termAt) => validateNodeSelectorTerm(term, termAt, 'label values'));
  }
  at.child(PREFERRED).each(preferred, ({ weight, preference = {} }, termAt) => {
    validateWeight(weight, termAt.child('weight'));
    validateNodeSelectorTerm(preference, termAt.child('preference'), 'any values');
  });
}

function validateWeight(weight = 0, at: FieldPath): void {
  if (weight <= 0 || weight > 100) at.invalid(weight, 'must be in the range 1-100');
}

/** Ports ValidateNodeSelectorTerm (pkg/apis/core/validation/validation.go); preferences take any values. */
function validateNodeSelectorTerm(
  { matchExpressions, matchFields }: Decoded<v1.NodeSelectorTerm>,
  at: FieldPath,
  allowed: 'label values' | 'any values',
): void {
  at.child('matchExpressions').each(matchExpressions, (requirement, requirementAt) => {
    validateNodeSelectorRequirement(requirement, requirementAt);
    if (allowed === 'any values') return;
    validateLabelValues(requirement.values, requirementAt.child('values'));
  });
  at.child('matchFields').each(matchFields, validateNodeFieldSelectorRequirement);
}

/** Ports ValidateNodeSelectorRequirement (pkg/apis/core/validation/validation.go), without the values. */
function validateNodeSelectorRequirement(requirement: Requirement, at: FieldPath): void {
  const { key = '', operator = '', values = [] } = requirement;
  if (operator === 'Gt' || operator === 'Lt') {
    if (values.length !== 1) {
      const detail = "must be specified single value when `operator` is 'Lt' or 'Gt'";
      at.child('values').required(detail);
    }
  } else if (!validateOperator(requirement, at)) {
    at.child('operator').invalid(asJson(operator), NOT_AN_OPERATOR);
  }
  validateQualifiedName(key, at.child('key'));
}

function validateNodeFieldSelectorRequirement(
  { key = '', operator = '', values = [] }: Requirement,
  at: FieldPath,
): void {
  if (operator !== 'In' && operator !== 'NotIn') {
    at.child('operator').invalid(asJson(operator), NOT_AN_OPERATOR);
  } else if (values.length !== 1) {
    const detail =
      "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    at.child('values').required(detail);
  }
  if (key === 'metadata.name') at.child('values').each(values, validateDNS1123Subdomain);
  else at.child('key').invalid(key, 'not a valid field selector key');
}

/** Ports validatePodAffinity and validatePodAntiAffinity (pkg/apis/core/validation/validation.go). */
function validatePodTerms(terms: Decoded<v1.PodAffinity>, at: FieldPath): void {
  at.child(REQUIRED).each(terms[REQUIRED], validatePodAffinityTerm);
  at.child(PREFERRED).each(terms[PREFERRED], ({ weight, podAffinityTerm = {} }, termAt) => {
    validateWeight(weight, termAt.child('weight'));
    validatePodAffinityTerm(podAffinityTerm, termAt.child('podAffinityTerm'));
  });
}

function validatePodAffinityTerm(term: Decoded<v1.PodAffinityTerm>, at: FieldPath): void {
  const { topologyKey = '' } = term;
  validateLabelSelector(term.labelSelector, at.child('labelSelector'));
  validateLabelSelector(term.namespaceSelector, at.child('namespaceSelector'));
  for (const name of term.namespaces ?? []) validateDNS1123Label(name, at.child('namespace'));
  validateMatchLabelKeysAndMismatchLabelKeys(term, at);
  if (topologyKey === '') at.child('topologyKey').required('can not be empty');
  validateQualifiedName(topologyKey, at.child('topologyKey'));
}
