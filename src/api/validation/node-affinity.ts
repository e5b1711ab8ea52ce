import { asJson, type FieldError, forbidden, invalid, required } from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';
import { complaintErrors, validateDNS1123Subdomain, validateQualifiedName } from './common.js';
import { isValidLabelValue } from './formats.js';

type Requirement = Decoded<'NodeSelectorRequirement'>;
type Term = Decoded<'NodeSelectorTerm'>;

const NOT_AN_OPERATOR = 'not a valid selector operator';

/** Ports validateNodeAffinity (pkg/apis/core/validation/validation.go). */
export function validateNodeAffinity(
  affinity: Decoded<'NodeAffinity'>,
  path: string,
): FieldError[] {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: selector,
    preferredDuringSchedulingIgnoredDuringExecution: preferred = [],
  } = affinity;
  const at = `${path}.preferredDuringSchedulingIgnoredDuringExecution`;
  return [
    ...(selector
      ? validateNodeSelector(selector, `${path}.requiredDuringSchedulingIgnoredDuringExecution`)
      : []),
    ...preferred.flatMap(({ weight = 0, preference = {} }, index) => [
      ...validateWeight(weight, `${at}[${index}].weight`),
      ...validateNodeSelectorTerm(preference, `${at}[${index}].preference`, 'any values'),
    ]),
  ];
}

/** How much a preference counts, 1 to 100. */
export function validateWeight(weight: number, path: string): FieldError[] {
  if (weight > 0 && weight <= 100) return [];
  return [invalid(path, weight, 'must be in the range 1-100')];
}

/** Ports ValidateNodeSelector (pkg/apis/core/validation/validation.go). */
function validateNodeSelector(selector: Decoded<'NodeSelector'>, path: string): FieldError[] {
  const { nodeSelectorTerms: terms = [] } = selector;
  const at = `${path}.nodeSelectorTerms`;
  if (terms.length === 0) return [required(at, 'must have at least one node selector term')];
  return terms.flatMap((term, index) =>
    validateNodeSelectorTerm(term, `${at}[${index}]`, 'label values'),
  );
}

/** Ports ValidateNodeSelectorTerm (pkg/apis/core/validation/validation.go); preferences take any values. */
function validateNodeSelectorTerm(
  { matchExpressions = [], matchFields = [] }: Term,
  path: string,
  allowed: 'label values' | 'any values',
): FieldError[] {
  return [
    ...matchExpressions.flatMap((requirement, index) => {
      const at = `${path}.matchExpressions[${index}]`;
      const errors = validateNodeSelectorRequirement(requirement, at);
      return allowed === 'any values' ? errors : [...errors, ...validateValues(requirement, at)];
    }),
    ...matchFields.flatMap((requirement, index) =>
      validateNodeFieldSelectorRequirement(requirement, `${path}.matchFields[${index}]`),
    ),
  ];
}

/** Ports ValidateNodeSelectorRequirement (pkg/apis/core/validation/validation.go), less its values. */
function validateNodeSelectorRequirement(requirement: Requirement, path: string): FieldError[] {
  return [
    ...validateOperator(requirement, path),
    ...validateQualifiedName(requirement.key ?? '', `${path}.key`),
  ];
}

function validateOperator({ operator = '', values = [] }: Requirement, path: string): FieldError[] {
  const at = `${path}.values`;
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length > 0) return [];
      return [required(at, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      if (values.length === 0) return [];
      return [forbidden(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    case 'Gt':
    case 'Lt':
      if (values.length === 1) return [];
      return [required(at, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalid(`${path}.operator`, asJson(operator), NOT_AN_OPERATOR)];
  }
}

function validateValues({ values = [] }: Requirement, path: string): FieldError[] {
  return values.flatMap((value, index) =>
    complaintErrors(`${path}.values[${index}]`, value, isValidLabelValue(value)),
  );
}

/** Ports ValidateNodeFieldSelectorRequirement (pkg/apis/core/validation/validation.go). */
function validateNodeFieldSelectorRequirement(
  { key = '', operator = '', values = [] }: Requirement,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (operator !== 'In' && operator !== 'NotIn') {
    errors.push(invalid(`${path}.operator`, asJson(operator), NOT_AN_OPERATOR));
  } else if (values.length !== 1) {
    const detail =
      "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    errors.push(required(`${path}.values`, detail));
  }
  if (key !== 'metadata.name') {
    return [...errors, invalid(`${path}.key`, key, 'not a valid field selector key')];
  }
  const ofNames = values.flatMap((value, index) =>
    validateDNS1123Subdomain(value, `${path}.values[${index}]`),
  );
  return [...errors, ...ofNames];
}
