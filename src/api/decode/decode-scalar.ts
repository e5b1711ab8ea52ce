import { BASE64 } from '../../go/base64.js';
import type { JsonNode } from '../../go/json-node.js';
import { goTrimSpace } from '../../go/text.js';
import { timeError } from '../../go/time.js';
import type { Scalar } from '../schema/schema.js';
import { parseQuantity } from '../values/quantity.js';

/** The value of a scalar, or the reason why Go's decoder rejects it. */
type ScalarResult =
  | { readonly kind: 'value'; readonly value: unknown }
  /** An int64 that JavaScript's numbers cannot hold, and the nearest one that they can. */
  | { readonly kind: 'unsafe'; readonly value: number; readonly literal: string }
  | {
      readonly kind: 'mismatch';
      /** Name of the value in Go's error. */
      readonly found: string;
      /** The Go type of the error when it is not the field's own. */
      readonly wanted?: string;
      /** True where Go's decoder stops. */
      readonly fatal: boolean;
    }
  | { readonly kind: 'malformed'; readonly message: string };

const INT_RANGE = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
} as const;

/** Decodes a node that is not null into a scalar as encoding/json and the types' own UnmarshalJSON do. */
export function decodeScalar(node: JsonNode, scalar: Scalar): ScalarResult {
  switch (scalar) {
    case 'string':
      return node.kind === 'string' ? value(node.value) : mismatch(node);
    case 'bool':
      return node.kind === 'bool' ? value(node.value) : mismatch(node);
    case 'int32':
    case 'int64':
      return decodeInteger(node, scalar);
    case 'bytes':
      return node.kind === 'string' ? decodeBase64(node.value) : mismatch(node);
    case 'IntOrString':
      return decodeIntOrString(node);
    case 'Quantity':
      return decodeQuantity(node);
    case 'Time':
      return decodeTime(node);
    case 'raw':
      return value(undefined);
  }
}

function value(decoded: unknown): ScalarResult {
  return { kind: 'value', value: decoded };
}

function mismatch(node: JsonNode): ScalarResult {
  return { kind: 'mismatch', found: node.kind, fatal: false };
}

function decodeInteger(node: JsonNode, scalar: keyof typeof INT_RANGE): ScalarResult {
  if (node.kind !== 'number') return mismatch(node);
  const [min, max] = INT_RANGE[scalar];
  const integer = /^-?\d+$/.test(node.literal) ? BigInt(node.literal) : undefined;
  if (integer === undefined || integer < min || integer > max) {
    return { kind: 'mismatch', found: `number ${node.literal}`, fatal: false };
  }
  const number = Number(integer);
  if (Number.isSafeInteger(number)) return value(number);
  const nearest = number < 0 ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER;
  return { kind: 'unsafe', value: nearest, literal: node.literal };
}

/** Ports IntOrString.UnmarshalJSON (apimachinery pkg/util/intstr/intstr.go). */
function decodeIntOrString(node: JsonNode): ScalarResult {
  if (node.kind === 'string') return value(node.value);
  const integer = decodeInteger(node, 'int32');
  return integer.kind === 'mismatch' ? { ...integer, wanted: 'int32', fatal: true } : integer;
}

/** Ports Quantity.UnmarshalJSON (apimachinery pkg/api/resource/quantity.go); the text is kept. */
function decodeQuantity(node: JsonNode): ScalarResult {
  const text = node.kind === 'string' ? node.value : node.kind === 'number' ? node.literal : '';
  const parsed = parseQuantity(goTrimSpace(text));
  if (parsed.kind === 'quantity') return value(goTrimSpace(text));
  return { kind: 'malformed', message: parsed.message };
}

function decodeTime(node: JsonNode): ScalarResult {
  if (node.kind !== 'string') {
    return { kind: 'mismatch', found: node.kind, wanted: 'string', fatal: true };
  }
  const error = timeError(node.value);
  return error === undefined ? value(node.value) : { kind: 'malformed', message: error };
}

function decodeBase64(text: string): ScalarResult {
  const clean = text.replace(/[\r\n]/g, '');
  if (BASE64.test(clean)) return value(clean);
  const at = /^[A-Za-z0-9+/]*/.exec(clean)?.[0].length ?? 0;
  return { kind: 'malformed', message: `illegal base64 data at input byte ${at}` };
}
