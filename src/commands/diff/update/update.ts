import type { FieldError } from '../../../api/admission/index.js';
import { encode } from '../../../api/decode/index.js';
import {
  type Decoded,
  formatQuantity,
  isObject,
  type Quantity,
  type v1,
} from '../../../api/index.js';
import { changedFields, type FieldChange, same } from '../field-change.js';

type Affinity = Decoded<v1.Affinity>;

export interface Update {
  /** Errors in the server's order; an update with an error changes nothing. */
  readonly errors: readonly FieldError[];
  readonly refused: readonly FieldChange[];
}

export const ACCEPTED: Update = { errors: [], refused: [] };

export function joinUpdates(...updates: readonly Update[]): Update {
  return {
    errors: updates.flatMap(({ errors }) => errors),
    refused: updates.flatMap(({ refused }) => refused),
  };
}

/** Rejects a change of a field. Ports ValidateImmutableField (apimachinery pkg/api/validation/objectmeta.go). */
export function validateImmutableField(after: unknown, before: unknown, field: string): Update {
  const refused = changedFields(before, after, field);
  if (refused.length === 0) return ACCEPTED;
  return { errors: [invalidValue(field, 'field is immutable')], refused };
}

/** Returns an affinity with the node affinity of another; where one of them is absent, an empty one is absent too. */
export function withNodeAffinityOf(base: Affinity | undefined, other: Affinity | undefined) {
  const affinity = { ...base, nodeAffinity: other?.nodeAffinity };
  const canBeAbsent = base === undefined || other === undefined;
  return canBeAbsent && same(affinity, {}) ? undefined : affinity;
}

/** Returns the error about a value that the server quotes as a whole; it is left out here. */
export function invalidValue(field: string, detail: string): FieldError {
  const message = `${field}: Invalid value: ${detail}`;
  return { type: 'FieldValueInvalid', field, detail, message };
}

/** The form of an object in which two objects are compared. */
export type StoredForm = Readonly<Record<string, unknown>>;

/** Metadata that users set; the rest belongs to the server or identifies the object. */
const METADATA = ['labels', 'annotations', 'finalizers', 'ownerReferences'];

/**
 * Returns the form in which two objects are compared: without empty fields, and with quantities in one format, so that
 * `1` equals `1000m`.
 */
export function storedForm(kind: string, object: object): StoredForm {
  const whole = encode(object, kind, inOneFormat);
  const { metadata, status: _, ...rest } = withoutNulls(whole) as StoredForm;
  const all = isObject(metadata) ? metadata : {};
  const fields = METADATA.flatMap((key) =>
    all[key] === undefined ? [] : [[key, all[key]] as const],
  );
  return { metadata: Object.fromEntries(fields), ...rest };
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(entries.map(([name, each]) => [name, withoutNulls(each)]));
}

/** The written format does not matter: 1024Ki equals 1048576. */
function inOneFormat({ nano }: Quantity): string {
  const binary = formatQuantity({ nano, format: 'binary' });
  return binary.endsWith('i') ? binary : formatQuantity({ nano, format: 'decimal' });
}
