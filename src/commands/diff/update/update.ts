import type { FieldError } from '../../../api/admission/index.js';
import { encode } from '../../../api/decode/index.js';
import { formatQuantity, isObject, type Quantity } from '../../../api/index.js';
import { changedFields, type FieldChange } from '../field-change.js';

/** Answer of the API server to an update. */
export interface Update {
  /** In the server's order; when there is one, nothing is changed. */
  readonly errors: readonly FieldError[];
  /** The changes that it refuses. */
  readonly refused: readonly FieldChange[];
}

export const ACCEPTED: Update = { errors: [], refused: [] };

export function together(...updates: readonly Update[]): Update {
  return {
    errors: updates.flatMap(({ errors }) => errors),
    refused: updates.flatMap(({ refused }) => refused),
  };
}

/** A field that is not to be changed. Ports ValidateImmutableField (apimachinery pkg/api/validation/objectmeta.go). */
export function validateImmutableField(after: unknown, before: unknown, field: string): Update {
  const refused = changedFields(before, after, field);
  if (refused.length === 0) return ACCEPTED;
  return { errors: [invalidValue(field, 'field is immutable')], refused };
}

/** An error about a value that the server quotes whole, which would say no more here. */
export function invalidValue(field: string, detail: string): FieldError {
  const message = `${field}: Invalid value: ${detail}`;
  return { type: 'FieldValueInvalid', field, detail, message };
}

/** An object as the API server stores it, as far as manifests say it. */
export type StoredForm = Readonly<Record<string, unknown>>;

/** Metadata fields of the author; the rest is the server's or identifies the object. */
const METADATA = ['labels', 'annotations', 'finalizers', 'ownerReferences'];

/**
 * Brings an object into the form in which two of them are compared: what is empty is not there, and quantities are
 * written in one way, so that `1` and `1000m` are the same.
 */
export function storedForm(kind: string, object: object): StoredForm {
  const whole = encode(object, kind, inOneFormat);
  const { metadata, status: _, ...rest } = withoutNulls(whole) as StoredForm;
  const all = isObject(metadata) ? metadata : {};
  const own = METADATA.flatMap((key) => (all[key] === undefined ? [] : [[key, all[key]] as const]));
  return { metadata: Object.fromEntries(own), ...rest };
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(entries.map(([name, each]) => [name, withoutNulls(each)]));
}

/** The format tells nothing apart: 1024Ki and 1048576 are as much. */
function inOneFormat({ nano }: Quantity): string {
  const binary = formatQuantity({ nano, format: 'binary' });
  return binary.endsWith('i') ? binary : formatQuantity({ nano, format: 'decimal' });
}
