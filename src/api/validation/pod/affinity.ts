import type { Decoded } from '../../schema/decoded.js';
import {
  validateDNS1123Label,
  validateDNS1123Subdomain,
  validateQualifiedName,
} from '../common/checks.js';
import { asJson, type FieldPath } from '../common/field-error.js';
import {
  NOT_AN_OPERATOR,
  validateLabelSelector,
  validateLabelValues,
  validateOperator,
} from '../meta/label-selector.js';
import { validateMatchLabelKeysAndMismatchLabelKeys } from './scheduling.js';

type Requirement = Decoded<'NodeSelectorRequirement'>;
type PodTerms = Decoded<'PodAffinity'> & Decoded<'PodAntiAffinity'>;

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Ports validateAffinity (pkg/apis/core/validation/validation.go). */
export function validateAffinity(affinity: Decoded<'Affinity'> = {}, at: FieldPath): void {
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity;
  if (nodeAffinity) validateNodeAffinity(nodeAffinity, at.child('nodeAffinity'));
  if (podAffinity) validatePodTerms(podAffinity, at.child('podAffinity'));
  if (podAntiAffinity) validatePodTerms(podAntiAffinity, at.child('podAntiAffinity'));
}

/** Ports validateNodeAffinity (pkg/apis/core/validation/validation.go). */
function validateNodeAffinity(affinity: Decoded<'NodeAffinity'>, at: FieldPath): void {
  const { [REQUIRED]: selector, [PREFERRED]: preferred } = affinity;
  if (selector) validateNodeSelector(selector, at.child(REQUIRED));
  at.child(PREFERRED).each(preferred, ({ weight, preference = {} }, termAt) => {
    validateWeight(weight, termAt.child('weight'));
    validateNodeSelectorTerm(preference, termAt.child('preference'), 'any values');
  });
}

/** The weight of a preference, 1 to 100. */
function validateWeight(weight = 0, at: FieldPath): void {
  if (weight <= 0 || weight > 100) at.invalid(weight, 'must be in the range 1-100');
}

/** Ports ValidateNodeSelector (pkg/apis/core/validation/validation.go). */
function validateNodeSelector(selector: Decoded<'NodeSelector'>, at: FieldPath): void {
  const { nodeSelectorTerms: terms = [] } = selector;
  const termsAt = at.child('nodeSelectorTerms');
  if (terms.length === 0) termsAt.required('must have at least one node selector term');
  termsAt.each(terms, (term, termAt) => validateNodeSelectorTerm(term, termAt, 'label values'));
}

/** Ports ValidateNodeSelectorTerm (pkg/apis/core/validation/validation.go); preferences take any values. */
function validateNodeSelectorTerm(
  { matchExpressions, matchFields }: Decoded<'NodeSelectorTerm'>,
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

/** Ports ValidateNodeSelectorRequirement (pkg/apis/core/validation/validation.go), less its values. */
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

/** Ports ValidateNodeFieldSelectorRequirement (pkg/apis/core/validation/validation.go). */
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
function validatePodTerms(terms: PodTerms, at: FieldPath): void {
  at.child(REQUIRED).each(terms[REQUIRED], validatePodAffinityTerm);
  at.child(PREFERRED).each(terms[PREFERRED], ({ weight, podAffinityTerm = {} }, termAt) => {
    validateWeight(weight, termAt.child('weight'));
    validatePodAffinityTerm(podAffinityTerm, termAt.child('podAffinityTerm'));
  });
}

/** Ports validatePodAffinityTerm (pkg/apis/core/validation/validation.go). */
function validatePodAffinityTerm(term: Decoded<'PodAffinityTerm'>, at: FieldPath): void {
  const { topologyKey = '' } = term;
  validateLabelSelector(term.labelSelector, at.child('labelSelector'));
  validateLabelSelector(term.namespaceSelector, at.child('namespaceSelector'));
  for (const name of term.namespaces ?? []) validateDNS1123Label(name, at.child('namespace'));
  validateMatchLabelKeysAndMismatchLabelKeys(term, at);
  if (topologyKey === '') at.child('topologyKey').required('can not be empty');
  validateQualifiedName(topologyKey, at.child('topologyKey'));
}
