import { goQuote } from '../go/quote.js';
import { goJson } from './go-text.js';

const TEXTS = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
} as const;

export type FieldErrorType = keyof typeof TEXTS;

/** What validation says of one field. Ports field.Error (apimachinery pkg/util/validation/field/errors.go). */
export interface FieldError {
  readonly type: FieldErrorType;
  /** The path of the field, such as `spec.containers[0].image`. */
  readonly field: string;
  readonly detail: string;
  /** The whole sentence, path included, as Error() writes it. */
  readonly message: string;
}

/** A bad value that Go holds in anything but a plain string or number: it is shown as JSON. */
export interface JsonText {
  readonly json: string;
}

export type BadValue = string | number | boolean | JsonText;

/** Marks a value whose Go type is a named string, a pointer, a list or a struct. */
export function asJson(value: unknown): JsonText {
  return { json: goJson(value) };
}

/** Marks a struct of Go's: its fields keep their order, and those that are nil are null. */
export function asStruct(fields: Readonly<Record<string, unknown>>): JsonText {
  const members = Object.entries(fields).map(
    ([name, value]) => `${goJson(name)}:${isJsonText(value) ? value.json : goJson(value ?? null)}`,
  );
  return { json: `{${members.join(',')}}` };
}

function isJsonText(value: unknown): value is JsonText {
  return typeof value === 'object' && value !== null && 'json' in value;
}

export function notFound(field: string, value: BadValue): FieldError {
  return withValue('FieldValueNotFound', field, value, '');
}

export function required(field: string, detail = ''): FieldError {
  return withoutValue('FieldValueRequired', field, detail);
}

export function duplicate(field: string, value: BadValue): FieldError {
  return withValue('FieldValueDuplicate', field, value, '');
}

export function invalid(field: string, value: BadValue, detail: string): FieldError {
  return withValue('FieldValueInvalid', field, value, detail);
}

/** An error of a whole object, which is not shown. Ports Invalid with OmitValueType. */
export function invalidWhole(field: string, detail: string): FieldError {
  return withoutValue('FieldValueInvalid', field, detail);
}

/** The value is of a named string type wherever the API has one of these. */
export function notSupported(
  field: string,
  value: string,
  supported: readonly string[],
): FieldError {
  const detail = `supported values: ${supported.map(goQuote).join(', ')}`;
  return withValue('FieldValueNotSupported', field, asJson(value), detail);
}

export function forbidden(field: string, detail: string): FieldError {
  return withoutValue('FieldValueForbidden', field, detail);
}

export function tooLong(field: string, maxLength: number): FieldError {
  return withoutValue('FieldValueTooLong', field, `may not be more than ${maxLength} bytes`);
}

export function tooMany(field: string, actual: number, most: number): FieldError {
  return withValue('FieldValueTooMany', field, actual, `must have at most ${most} items`);
}

function withValue(
  type: FieldErrorType,
  field: string,
  value: BadValue,
  detail: string,
): FieldError {
  return make(type, field, `${TEXTS[type]}: ${showValue(value)}`, detail);
}

function withoutValue(type: FieldErrorType, field: string, detail: string): FieldError {
  return make(type, field, TEXTS[type], detail);
}

function make(type: FieldErrorType, field: string, text: string, detail: string): FieldError {
  const message = `${field}: ${text}${detail === '' ? '' : `: ${detail}`}`;
  return { type, field, detail, message };
}

function showValue(value: BadValue): string {
  if (typeof value === 'object') return value.json;
  return typeof value === 'string' ? goQuote(value) : String(value);
}
