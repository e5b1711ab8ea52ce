import { BASE64, fromBase64 } from '../base64.js';
import type { JsonNode } from '../json-node.js';
import { GoYamlDecodeError } from './error.js';
import type { ScalarNode } from './node.js';

/** Resolved YAML scalar, before it is turned into JSON. */
type YamlScalar =
  | { readonly kind: 'null' }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'int'; readonly value: bigint }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string };

const LONG_PREFIX = 'tag:yaml.org,2002:';
const TRUE = ['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'];
const FALSE = ['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'];
const NULL = ['', '~', 'null', 'Null', 'NULL'];
const INFINITE = ['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'];
const MINUS_INFINITE = ['-.inf', '-.Inf', '-.INF'];
const NAN = ['.nan', '.NaN', '.NAN'];

const WORDS = new Map<string, YamlScalar>([
  ...TRUE.map((word) => [word, { kind: 'bool', value: true }] as const),
  ...FALSE.map((word) => [word, { kind: 'bool', value: false }] as const),
  ...NULL.map((word) => [word, { kind: 'null' }] as const),
  ...INFINITE.map((word) => [word, { kind: 'float', value: Infinity }] as const),
  ...MINUS_INFINITE.map((word) => [word, { kind: 'float', value: -Infinity }] as const),
  ...NAN.map((word) => [word, { kind: 'float', value: NaN }] as const),
]);

const FIRST_OF_WORD = /^[yYnNtTfFoO~]/;
const YAML_STYLE_FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const INT64_MIN = -(2n ** 63n);
const UINT64_MAX = 2n ** 64n - 1n;

/**
 * Resolves a plain scalar, or one with a tag (in its long form), as go-yaml v2 does. Undefined when the tag
 * does not fit. Ports resolve (go.yaml.in/yaml/v2 resolve.go); a timestamp stays the string that it is.
 */
function resolveScalar(text: string, tag?: string): YamlScalar | undefined {
  const short = tag?.startsWith(LONG_PREFIX) === true ? tag.slice(LONG_PREFIX.length) : undefined;
  if (tag !== undefined && short === undefined) return { kind: 'string', value: text };
  if (short === undefined) return resolvePlain(text);
  const plain = resolvePlain(text);
  switch (short) {
    case 'bool':
    case 'int':
    case 'null':
      return plain.kind === short ? plain : undefined;
    case 'float':
      if (plain.kind === 'int') return { kind: 'float', value: Number(plain.value) };
      return plain.kind === 'float' ? plain : undefined;
    case 'timestamp':
      return /^\d{4}-\d\d?-\d\d?(?:$|[Tt ])/.test(text)
        ? { kind: 'string', value: text }
        : undefined;
    case 'binary':
      return decodeBinary(text);
    default:
      return { kind: 'string', value: text };
  }
}

function resolvePlain(text: string): YamlScalar {
  const string: YamlScalar = { kind: 'string', value: text };
  if (text === '' || FIRST_OF_WORD.test(text)) return WORDS.get(text) ?? string;
  if (!/^[-+.0-9]/.test(text)) return string;
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  if (text.startsWith('.')) return toFloat(text) ?? string;
  // A timestamp is no number either: its dash sees to that.
  const plain = text.replaceAll('_', '');
  return toInteger(plain) ?? toFloat(plain) ?? string;
}

/** Ports strconv.ParseInt and ParseUint with base 0, for a text without underscores. */
function toInteger(text: string): YamlScalar | undefined {
  const match = /^([-+]?)(?:(0[xX][0-9a-fA-F]+|0[bB][01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))$/.exec(
    text,
  );
  if (match === null) return undefined;
  const [, sign, prefixed, octal, decimal] = match;
  const magnitude = BigInt(prefixed ?? (octal === undefined ? (decimal ?? '0') : `0o${octal}`));
  const value = sign === '-' ? -magnitude : magnitude;
  // ParseUint takes no sign.
  const max = sign === '' ? UINT64_MAX : 2n ** 63n - 1n;
  return value >= INT64_MIN && value <= max ? { kind: 'int', value } : undefined;
}

function toFloat(text: string): YamlScalar | undefined {
  if (!YAML_STYLE_FLOAT.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? { kind: 'float', value } : undefined;
}

function decodeBinary(text: string): YamlScalar | undefined {
  const base64 = text.replace(/[\r\n]/g, '');
  if (!BASE64.test(base64)) return undefined;
  const value = new TextDecoder('utf-8', { ignoreBOM: true }).decode(fromBase64(base64));
  return { kind: 'string', value };
}

export function isMerge({ value, implicit, tag }: ScalarNode): boolean {
  return value === '<<' && (implicit || tag === `${LONG_PREFIX}merge`);
}

/** The JSON value of a scalar; one without text has the offset `fallback`. Ports scalar (go.yaml.in/yaml/v2 decode.go). */
export function scalarNode(event: ScalarNode, base: number, fallback: number): JsonNode {
  const { value: text, tag, implicit, offset } = event;
  const start = base + (text === '' && implicit ? fallback : offset);
  if (tag === '' && !implicit) return { kind: 'string', start, value: text };
  const scalar = resolveScalar(text, tag === '' ? undefined : tag);
  if (scalar === undefined) return failTag(event);
  switch (scalar.kind) {
    case 'int':
      return { kind: 'number', start, literal: String(scalar.value) };
    case 'float':
      return { kind: 'number', start, literal: floatLiteral(scalar.value) };
    default:
      return { ...scalar, start };
  }
}

/** Resolves a scalar that is a key, which may be a number that JSON does not have. */
export function keyScalar(event: ScalarNode, base: number): JsonNode {
  const { value: text, tag, implicit, offset } = event;
  const scalar =
    tag === '' && !implicit ? undefined : resolveScalar(text, tag === '' ? undefined : tag);
  if (scalar?.kind !== 'float') return scalarNode(event, base, offset);
  return { kind: 'number', start: base + offset, literal: floatKey(scalar.value) };
}

/** Returns a number as Go prints it, which is not JSON for one that is not finite. */
function floatLiteral(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value < 0 ? '-Inf' : '+Inf';
  return Object.is(value, -0) ? '-0' : String(value);
}

export function isJsonNumber(literal: string): boolean {
  return !/[fN]$/.test(literal);
}

/** Error of Go's JSON encoder for any other number. */
export function unsupportedNumber(
  literal: string,
  { value, offset }: ScalarNode,
): GoYamlDecodeError {
  const message = `json: unsupported value: ${literal}`;
  return new GoYamlDecodeError('not-a-number', message, offset, value);
}

function failTag({ value, tag, offset }: ScalarNode): never {
  const wanted = tag.replace(LONG_PREFIX, '!!');
  const found = resolveScalar(value);
  const message =
    wanted === '!!binary'
      ? '!!binary value contains invalid base64 data'
      : `cannot decode ${shortTag(found)} \`${value}\` as a ${wanted}`;
  throw new GoYamlDecodeError('tag', `yaml: ${message}`, offset);
}

function shortTag(scalar: YamlScalar | undefined): string {
  const kind = scalar?.kind ?? 'string';
  return `!!${kind === 'string' ? 'str' : kind}`;
}

const MAX_DIGITS = 9;
const MIN_EXPONENT = -4;
const EXPONENT_FROM = 6;

/** A number that is no integer as a key of JSON. Ports what convertToJSONableObject (sigs.k8s.io/yaml) makes of one. */
export function floatKey(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(Math.fround(value))) return value < 0 ? '-.inf' : '.inf';
  return formatFloat32(Math.fround(value));
}

/** Ports strconv.FormatFloat(value, 'g', -1, 32): the fewest digits that give the same float32. */
function formatFloat32(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  let text = value.toExponential(0);
  for (let digits = 1; digits < MAX_DIGITS && Math.fround(Number(text)) !== value; digits++) {
    text = value.toExponential(digits);
  }
  const [mantissa = '', power = '0'] = text.split('e');
  const exponent = Number(power);
  if (exponent >= MIN_EXPONENT && exponent < EXPONENT_FROM) return String(Number(text));
  const sign = exponent < 0 ? '-' : '+';
  return `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
