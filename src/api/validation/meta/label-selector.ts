import type { Decoded } from '../../schema/decoded.js';
import { ownField } from '../../values/objects.js';
import { complaining, validateQualifiedName } from '../common/checks.js';
import {
  asJson,
  asStruct,
  collectErrors,
  type FieldPath,
  type JsonText,
} from '../common/field-error.js';
import { isValidLabelValue } from '../common/formats.js';
import { validateLabels } from './object-meta.js';

type LabelSelector = Decoded<'LabelSelector'>;
type Requirement = Decoded<'LabelSelectorRequirement'>;
type Labels = Readonly<Record<string, string>>;

/** Ports ValidateLabelSelector (apimachinery pkg/apis/meta/v1/validation/validation.go). */
export function validateLabelSelector(selector: LabelSelector = {}, at: FieldPath): void {
  validateLabels(selector.matchLabels, at.child('matchLabels'));
  at.child('matchExpressions').each(selector.matchExpressions, validateRequirement);
}

/** Ports ValidateLabelSelectorRequirement (apimachinery pkg/apis/meta/v1/validation/validation.go). */
function validateRequirement(requirement: Requirement, at: FieldPath): void {
  if (!validateOperator(requirement, at)) {
    at.child('operator').invalid(asJson(requirement.operator ?? ''), NOT_AN_OPERATOR);
  }
  validateQualifiedName(requirement.key ?? '', at.child('key'));
  validateLabelValues(requirement.values, at.child('values'));
}

export const NOT_AN_OPERATOR = 'not a valid selector operator';

export function validateLabelValues(values: readonly string[] | undefined, at: FieldPath): void {
  at.each(values, complaining(isValidLabelValue));
}

/** Validates the number of values that an operator of labels and of nodes takes; false for any other operator. */
export function validateOperator(
  { operator, values = [] }: Requirement | Decoded<'NodeSelectorRequirement'>,
  at: FieldPath,
): boolean {
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) {
        at.child('values').required("must be specified when `operator` is 'In' or 'NotIn'");
      }
      return true;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0) {
        const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
        at.child('values').forbidden(detail);
      }
      return true;
    default:
      return false;
  }
}

/** A selector as the server shows it. */
export function showSelector(selector: LabelSelector | undefined): JsonText {
  if (selector === undefined) return asJson(null);
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return asStruct({
    ...(Object.keys(matchLabels).length > 0 && { matchLabels }),
    ...(matchExpressions.length > 0 && {
      matchExpressions: matchExpressions.map(({ key = '', operator = '', values = [] }) => ({
        key,
        operator,
        ...(values.length > 0 && { values }),
      })),
    }),
  });
}

/** Returns true for a selector without conditions, which selects everything. */
export function isEmptySelector({
  matchLabels = {},
  matchExpressions = [],
}: LabelSelector): boolean {
  return Object.keys(matchLabels).length + matchExpressions.length === 0;
}

/** Returns false when LabelSelectorAsSelector (apimachinery pkg/apis/meta/v1/helpers.go) fails. */
export function isUsableSelector(selector: LabelSelector | undefined): boolean {
  return collectErrors('', (at) => validateLabelSelector(selector, at)).length === 0;
}

/** Returns true when a selector selects objects with these labels; no selector selects nothing. */
export function selectorMatches(selector: LabelSelector | undefined, labels: Labels): boolean {
  if (selector === undefined) return false;
  const pairs = Object.entries(selector.matchLabels ?? {});
  return (
    pairs.every(([key, value]) => ownField(labels, key) === value) &&
    (selector.matchExpressions ?? []).every((requirement) => isMet(requirement, labels))
  );
}

function isMet({ key = '', operator, values = [] }: Requirement, labels: Labels): boolean {
  const value = ownField(labels, key);
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    default:
      return value === undefined;
  }
}
