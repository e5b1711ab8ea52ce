import { goJson } from '../../go/text.js';
import { isObject, ownField, sortedEntries } from '../values/objects.js';
import { formatQuantity, parseQuantity, type Quantity } from '../values/quantity.js';
import { fieldsOf, type GoType, goType, SCALAR_ZERO } from './schema.js';

type Json = Readonly<Record<string, unknown>>;
type ShowQuantity = (quantity: Quantity) => string;

/**
 * Returns a decoded value as Go would write it as JSON: fields in the order of their struct, empty ones left out where
 * they have omitempty and written out where they have not.
 */
export function encode(value: unknown, type: string, show: ShowQuantity = formatQuantity): unknown {
  return encodeAs(value, goType(type), show);
}

function encodeAs(value: unknown, type: GoType, show: ShowQuantity): unknown {
  switch (type.kind) {
    case 'pointer':
      return value === undefined ? null : encodeAs(value, type.element, show);
    case 'list':
      return Array.isArray(value) ? value.map((item) => encodeAs(item, type.element, show)) : null;
    case 'map': {
      if (!isObject(value)) return null;
      const entries = sortedEntries(value);
      return Object.fromEntries(
        entries.map(([key, each]) => [key, encodeAs(each, type.element, show)]),
      );
    }
    case 'struct':
      return encodeStruct(isObject(value) ? value : {}, type.struct, show);
    case 'scalar':
      return type.scalar === 'Quantity'
        ? encodeQuantity(value, show)
        : (value ?? SCALAR_ZERO[type.scalar] ?? null);
  }
}

function encodeQuantity(value: unknown, show: ShowQuantity): string {
  const parsed = parseQuantity(typeof value === 'string' ? value : SCALAR_ZERO.Quantity);
  return parsed.kind === 'quantity' ? show(parsed.quantity) : SCALAR_ZERO.Quantity;
}

function encodeStruct(value: Json, struct: string, show: ShowQuantity): Json {
  const written: Record<string, unknown> = {};
  for (const [name, { type, always }] of fieldsOf(struct)) {
    const field = ownField(value, name);
    if (always || isWritten(field, type)) written[name] = encodeAs(field, type, show);
  }
  return written;
}

/** Returns true if Go writes a field that has omitempty: it always writes structs, and pointers that are set. */
function isWritten(value: unknown, type: GoType): boolean {
  if (type.kind === 'struct') return true;
  if (type.kind === 'scalar' && STRUCT_SCALARS.includes(type.scalar)) return true;
  if (value === undefined) return false;
  if (type.kind === 'list') return Array.isArray(value) && value.length > 0;
  if (type.kind === 'map') return isObject(value) && Object.keys(value).length > 0;
  return type.kind === 'pointer' || value !== SCALAR_ZERO[type.scalar];
}

const STRUCT_SCALARS: readonly string[] = ['Quantity', 'IntOrString'];

/**
 * Returns a value as Go prints the server's own type as JSON. That type has no tags: its fields have Go's names, and
 * nil is null.
 */
export function asInternal(value: unknown, type: string): { readonly json: string } {
  return { json: internalJson(value, goType(type)) };
}

function internalJson(value: unknown, type: GoType): string {
  if (typeof value === 'bigint') return String(value);
  if (type.kind === 'scalar') return goJson(value ?? SCALAR_ZERO[type.scalar]);
  if (type.kind === 'struct') {
    const struct = isObject(value) ? value : {};
    const members = [...fieldsOf(type.struct)].map(([name, field]) => {
      const goName = name.replace(/^(?:se|gmsa)(?=[A-Z])|^./, (start) => start.toUpperCase());
      return `"${goName}":${internalJson(struct[name], field.type)}`;
    });
    return `{${members.join(',')}}`;
  }
  if (value === undefined) return 'null';
  if (type.kind === 'list' && Array.isArray(value)) {
    return `[${value.map((item) => internalJson(item, type.element)).join(',')}]`;
  }
  return internalJson(value, type.element);
}
