import type { JsonNode } from '../../api/decode/json-node.js';
import { SyntaxProblem } from '../syntax-error.js';
import { resolveScalar, type YamlScalar } from '../yaml-scalar.js';
import type { Event } from './event.js';

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
      if (Number.isFinite(scalar.value)) {
        const literal = Object.is(scalar.value, -0) ? '-0' : String(scalar.value);
        return { kind: 'number', start, literal };
      }
      return failFloat(scalar.value, event);
  }
}

function failFloat(value: number, { value: text, own }: Event): never {
  const shown = Number.isNaN(value) ? 'NaN' : value < 0 ? '-Inf' : '+Inf';
  const hint = 'put it in quotes if it is text';
  const server = `${CONVERTING}json: unsupported value: ${shown}`;
  throw new SyntaxProblem(`${text} is not a value that JSON has`, own.offset, hint, server);
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
