import {
  asJson,
  asStruct,
  type FieldError,
  forbidden,
  invalid,
  type JsonText,
  required,
} from '../field-error.js';
import { ownField } from '../own-field.js';
import type { Decoded } from '../schema/decoded.js';
import { complaintErrors, validateQualifiedName } from './common.js';
import { isQualifiedName, isValidLabelValue } from './formats.js';
import { validateLabels } from './object-meta.js';

type LabelSelector = Decoded<'LabelSelector'>;
type Requirement = Decoded<'LabelSelectorRequirement'>;
type Labels = Readonly<Record<string, string>>;

/** Ports ValidateLabelSelector (apimachinery pkg/apis/meta/v1/validation/validation.go). */
export function validateLabelSelector(
  selector: LabelSelector | undefined,
  path: string,
): FieldError[] {
  if (selector === undefined) return [];
  return [
    ...validateLabels(selector.matchLabels, `${path}.matchLabels`),
    ...(selector.matchExpressions ?? []).flatMap((requirement, index) =>
      validateRequirement(requirement, `${path}.matchExpressions[${index}]`),
    ),
  ];
}

function validateRequirement(requirement: Requirement, path: string): FieldError[] {
  const { key = '', values = [] } = requirement;
  return [
    ...validateOperator(requirement, path),
    ...validateQualifiedName(key, `${path}.key`),
    ...values.flatMap((value, index) =>
      complaintErrors(`${path}.values[${index}]`, value, isValidLabelValue(value)),
    ),
  ];
}

function validateOperator({ operator = '', values = [] }: Requirement, path: string): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length > 0) return [];
      return [required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      if (values.length === 0) return [];
      return [
        forbidden(
          `${path}.values`,
          "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        ),
      ];
    default:
      return [invalid(`${path}.operator`, asJson(operator), 'not a valid selector operator')];
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

/** Whether there is nothing in a selector, which then selects everything. */
export function isEmptySelector(selector: LabelSelector): boolean {
  return (
    Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions ?? []).length === 0
  );
}

/** Whether LabelSelectorAsSelector (apimachinery pkg/apis/meta/v1/helpers.go) takes the selector. */
export function isUsableSelector(selector: LabelSelector | undefined): boolean {
  const pairs = Object.entries(selector?.matchLabels ?? {});
  const rightPairs = pairs.every(
    ([key, value]) => isQualifiedName(key).length === 0 && isValidLabelValue(value).length === 0,
  );
  return (
    rightPairs &&
    (selector?.matchExpressions ?? []).every(
      (requirement) => validateRequirement(requirement, '').length === 0,
    )
  );
}

/** Whether a selector selects an object with these labels; none selects nothing. */
export function selectorMatches(selector: LabelSelector | undefined, labels: Labels): boolean {
  if (selector === undefined) return false;
  const pairs = Object.entries(selector.matchLabels ?? {});
  return (
    pairs.every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value) &&
    (selector.matchExpressions ?? []).every((requirement) => meets(requirement, labels))
  );
}

function meets({ key = '', operator, values = [] }: Requirement, labels: Labels): boolean {
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
