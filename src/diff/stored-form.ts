import { isObject } from '../api/is-object.js';
import { formatQuantity, storedQuantity } from '../api/quantity.js';
import { encode } from '../api/schema/encode.js';

/** An object as the API server stores it, as far as manifests say it. */
export type StoredForm = Readonly<Record<string, unknown>>;

/** What of an object's metadata is the author's; the rest is the server's, or it is how the object is found. */
const METADATA = ['labels', 'annotations', 'finalizers', 'ownerReferences'];

/** Maps of quantities, and fields that are one. */
const QUANTITY_MAPS = ['limits', 'requests'];
const QUANTITIES = ['sizeLimit', 'divisor', 'storage'];

/**
 * Brings an object into the form in which two of them are compared: what is empty is not there, and quantities are
 * written in one way, so that `1` and `1000m` are the same.
 */
export function storedForm(kind: string, object: object): StoredForm {
  const whole = encode(object, kind);
  const {
    metadata,
    status: _,
    ...rest
  } = canonical(whole, '') as Readonly<Record<string, unknown>>;
  const all = isObject(metadata) ? metadata : {};
  const own = METADATA.flatMap((key) => (all[key] === undefined ? [] : [[key, all[key]] as const]));
  return { metadata: Object.fromEntries(own), ...rest };
}

function canonical(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value.map((item) => canonical(item, ''));
  if (!isObject(value)) return QUANTITIES.includes(key) ? quantity(value) : value;
  const isMap = QUANTITY_MAPS.includes(key);
  const entries = Object.entries(value)
    .filter(([, each]) => each !== null)
    .map(([name, each]) => [name, isMap ? quantity(each) : canonical(each, name)] as const);
  return Object.fromEntries(entries);
}

/** The format tells nothing apart: 1024Ki and 1048576 are as much. */
function quantity(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const { nano } = storedQuantity(value);
  const decimal = formatQuantity({ nano, format: 'decimal' });
  const binary = formatQuantity({ nano, format: 'binary' });
  return binary.endsWith('i') ? binary : decimal;
}
