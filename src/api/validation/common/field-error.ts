import { goQuote } from '../../../go/quote.js';
import { goJson } from '../../../go/text.js';
import { type ApiServer, DEFAULT_SERVER, isServerSince } from '../../schema/api-server.js';

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

/** An error about one field. Ports field.Error (apimachinery pkg/util/validation/field/errors.go). */
export interface FieldError {
  readonly type: keyof typeof TEXTS;
  /** The path of the field, such as `spec.containers[0].image`. */
  readonly field: string;
  readonly detail: string;
  /** The whole sentence, path included, as Error() writes it. */
  readonly message: string;
}

export interface ApiWarning {
  /** The path at the start of the server's warning; empty if it has none. */
  readonly field: string;
  readonly message: string;
}

/** A bad value that is shown as JSON, because its Go type is not a plain string or number. */
export interface JsonText {
  readonly json: string;
}

type BadValue = string | number | boolean | JsonText;

/** Marks a value whose Go type is a named string, a pointer, a list or a struct. */
export function asJson(value: unknown): JsonText {
  return { json: goJson(value) };
}

/** Marks a Go struct, whose fields are shown as JSON in this order. */
export function asStruct(fields: object): JsonText {
  const members = Object.entries(fields).map(([name, value]) => `${goJson(name)}:${goJson(value)}`);
  return { json: `{${members.join(',')}}` };
}

export function invalid(field: string, value: BadValue, detail: string): FieldError {
  return fieldError('FieldValueInvalid', field, detail, value);
}

export function forbidden(field: string, detail: string): FieldError {
  return fieldError('FieldValueForbidden', field, detail);
}

function fieldError(
  type: keyof typeof TEXTS,
  field: string,
  detail: string,
  value?: BadValue,
): FieldError {
  const shown = value === undefined ? '' : `: ${showValue(value)}`;
  const message = `${field}: ${TEXTS[type]}${shown}${detail === '' ? '' : `: ${detail}`}`;
  return { type, field, detail, message };
}

function showValue(value: BadValue): string {
  if (typeof value === 'object') return value.json;
  return typeof value === 'string' ? goQuote(value) : String(value);
}

/**
 * The path of a field, and the lists that errors and warnings about it are appended to: Go's field.Path and
 * field.ErrorList (apimachinery pkg/util/validation/field).
 */
export class FieldPath {
  constructor(
    readonly path = '',
    readonly errors: FieldError[] = [],
    readonly warnings: ApiWarning[] = [],
    readonly server: ApiServer = DEFAULT_SERVER,
  ) {}

  child(name: string): FieldPath {
    return this.with(this.path === '' ? name : `${this.path}.${name}`);
  }

  /** Returns the path of an item of a list, or of a key of a map. */
  item(key: number | string): FieldPath {
    return this.with(`${this.path}[${key}]`);
  }

  with(path: string): FieldPath {
    return new FieldPath(path, this.errors, this.warnings, this.server);
  }

  each<T>(
    list: readonly T[] | undefined,
    validate: (item: T, at: FieldPath, index: number) => void,
  ): void {
    list?.forEach((item, index) => validate(item, this.item(index), index));
  }

  /** Reports each of the reasons why a value is invalid. */
  invalidFor(value: BadValue, reasons: readonly string[]): void {
    for (const reason of reasons) this.invalid(value, reason);
  }

  warn(message: string): void {
    this.warnings.push({ field: this.path, message });
  }

  required(detail = ''): void {
    this.#report('FieldValueRequired', detail);
  }

  /** Kubernetes counts the characters of names and labels up to 1.34, and bytes from 1.35 on. */
  invalid(value: BadValue, detail: string): void {
    const text = isServerSince('1.35', this.server)
      ? detail
      : detail.replace(/(?<=no more than \d+) bytes$/, ' characters');
    this.#report('FieldValueInvalid', text, value);
  }

  /** Shows a text as JSON, since the Go type of every enumeration is a named string. */
  notSupported(value: string | JsonText, supported: readonly string[]): void {
    const detail = `supported values: ${supported.map(goQuote).join(', ')}`;
    const shown = typeof value === 'string' ? asJson(value) : value;
    this.#report('FieldValueNotSupported', detail, shown);
  }

  forbidden(detail: string): void {
    this.#report('FieldValueForbidden', detail);
  }

  duplicate(value: BadValue): void {
    this.#report('FieldValueDuplicate', '', value);
  }

  notFound(value: BadValue, detail = ''): void {
    this.#report('FieldValueNotFound', detail, value);
  }

  tooLong(limit: number): void {
    this.#report('FieldValueTooLong', `may not be more than ${limit} bytes`);
  }

  tooMany(actual: number, limit: number): void {
    this.#report('FieldValueTooMany', `must have at most ${limit} items`, actual);
  }

  /** Ports Invalid with OmitValueType: the value is not shown. */
  invalidWithoutValue(detail: string): void {
    this.#report('FieldValueInvalid', detail);
  }

  #report(type: keyof typeof TEXTS, detail: string, value?: BadValue): void {
    this.errors.push(fieldError(type, this.path, detail, value));
  }
}

export function collectErrors(path: string, validate: (at: FieldPath) => void): FieldError[] {
  const at = new FieldPath(path);
  validate(at);
  return at.errors;
}
