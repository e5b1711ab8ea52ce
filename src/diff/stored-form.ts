import { encode, formatQuantity, isObject, type Quantity } from '../api/index.js';

/** An object as the API server stores it, as far as manifests say it. */
export type StoredForm = Readonly<Record<string, unknown>>;

/** What of an object's metadata is the author's; the rest is the server's, or it is how the object is found. */
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
