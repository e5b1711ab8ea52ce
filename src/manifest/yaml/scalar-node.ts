import { SyntaxProblem } from '../../api/index.js';
import type { JsonNode } from '../../go/json-node.js';
import { resolveScalar, type YamlScalar } from '../yaml-scalar.js';
import type { Event } from './event.js';
import { floatKey } from './float-key.js';

const LONG_PREFIX = 'tag:yaml.org,2002:';
const CONVERTING = 'error converting YAML to JSON: ';

/** Whether a scalar is the key of a merge. */
export function isMerge({ value, implicit, tag }: Event): boolean {
  return value === '<<' && (implicit || tag === `${LONG_PREFIX}merge`);
}

/** The JSON value of a scalar; one without text stands at `fallback`. Ports scalar (go.yaml.in/yaml/v2 decode.go). */
export function scalarNode(event: Event, base: number, fallback: number): JsonNode {
  const { value: text, tag, implicit, own } = event;
  const start = base + (text === '' && implicit ? fallback : own.offset);
  if (tag === '' && !implicit) return { kind: 'string', start, value: text };
  const scalar = resolveScalar(text, tag === '' ? undefined : tag);
  if (scalar === undefined) return failTag(event);
  switch (scalar.kind) {
    case 'null':
      return { kind: 'null', start };
    case 'bool':
      return { kind: 'bool', start, value: scalar.value };
    case 'string':
      return { kind: 'string', start, value: scalar.value };
    case 'int':
      return { kind: 'number', start, literal: String(scalar.value) };
    case 'float':
      return { kind: 'number', start, literal: floatLiteral(scalar.value) };
  }
}

/** The same for a scalar that is a key: it may be a number that JSON does not have. */
export function keyNode(event: Event, base: number): JsonNode {
  const { value: text, tag, implicit, own } = event;
  const scalar =
    tag === '' && !implicit ? undefined : resolveScalar(text, tag === '' ? undefined : tag);
  if (scalar?.kind !== 'float') return scalarNode(event, base, own.offset);
  return { kind: 'number', start: base + own.offset, literal: floatKey(scalar.value) };
}

/** As Go prints it, which is no JSON where it is not finite. */
function floatLiteral(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value < 0 ? '-Inf' : '+Inf';
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Whether a number is one that JSON has. */
export function isJsonNumber(literal: string): boolean {
  return !/[fN]$/.test(literal);
}

/** What the JSON encoder says of a number that is not. */
export function unsupportedNumber(literal: string, { value: text, own }: Event): SyntaxProblem {
  const hint = 'put it in quotes if it is text';
  const server = `${CONVERTING}json: unsupported value: ${literal}`;
  return new SyntaxProblem(`${text} is not a value that JSON has`, own.offset, hint, server);
}

function failTag({ value, tag, own }: Event): never {
  const wanted = tag.replace(LONG_PREFIX, '!!');
  const found = resolveScalar(value);
  const message =
    wanted === '!!binary'
      ? '!!binary value contains invalid base64 data'
      : `cannot decode ${shortTag(found)} \`${value}\` as a ${wanted}`;
  throw new SyntaxProblem(message, own.offset, undefined, `${CONVERTING}yaml: ${message}`);
}

function shortTag(scalar: YamlScalar | undefined): string {
  const kind = scalar?.kind ?? 'string';
  return `!!${kind === 'string' ? 'str' : kind}`;
}
