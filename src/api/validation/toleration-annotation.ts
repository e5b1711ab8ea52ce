import type { JsonMember, JsonNode } from '../../go/json-node.js';
import { decodeScalar } from '../decode/decode-scalar.js';
import { parseJson } from '../decode/parse-json.js';
import { SyntaxProblem } from '../decode/syntax-problem.js';
import { type FieldError, invalid } from '../field-error.js';
import { quoteByte } from '../go-text.js';
import type { Decoded } from '../schema/decoded.js';
import { validateTolerations } from './tolerations.js';

const KEY = 'scheduler.alpha.kubernetes.io/tolerations';

/** The fields of the server's own type. It has no JSON names, and the JSON package minds no case. */
const FIELDS = [
  { field: 'key', go: 'Key', type: 'string', scalar: 'string' },
  { field: 'operator', go: 'Operator', type: 'core.TolerationOperator', scalar: 'string' },
  { field: 'value', go: 'Value', type: 'string', scalar: 'string' },
  { field: 'effect', go: 'Effect', type: 'core.TaintEffect', scalar: 'string' },
  { field: 'tolerationSeconds', go: 'TolerationSeconds', type: 'int64', scalar: 'int64' },
] as const;

/** Ports ValidateTolerationsInPodAnnotations (pkg/apis/core/validation/validation.go). */
export function validateTolerationsInPodAnnotations(
  annotations: Readonly<Record<string, string>>,
  path: string,
): FieldError[] {
  const text = annotations[KEY] ?? '';
  if (text === '') return [];
  const read = readTolerations(text);
  if (typeof read === 'string') return [invalid(path, KEY, read)];
  return validateTolerations(read, `${path}.${KEY}`);
}

/** What json.Unmarshal makes of it, or what it says. */
function readTolerations(text: string): readonly Decoded<'Toleration'>[] | string {
  const node = readJson(text);
  if (typeof node === 'string') return node;
  const messages: string[] = [];
  const tolerations = decodeTolerations(node, messages);
  return messages[0] ?? tolerations;
}

function readJson(text: string): JsonNode | string {
  try {
    // Go's scanner is told of the end by a space.
    const parsed = parseJson(`${text} `);
    if (parsed === undefined) return 'unexpected end of JSON input';
    const [rest] = text.slice(parsed.end).trimStart();
    if (rest === undefined) return parsed.node;
    return `invalid character ${quoteByte(rest)} after top-level value`;
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    return error.server === 'unexpected EOF' ? 'unexpected end of JSON input' : error.server;
  }
}

function decodeTolerations(node: JsonNode, messages: string[]): Decoded<'Toleration'>[] {
  if (node.kind === 'null') return [];
  if (node.kind !== 'array') {
    messages.push(cannotUnmarshal(node.kind, 'Go value of type []core.Toleration'));
    return [];
  }
  return node.items.map((item) => {
    if (item.kind === 'object') return decodeToleration(item.members, messages);
    if (item.kind !== 'null') {
      messages.push(cannotUnmarshal(item.kind, 'Go value of type core.Toleration'));
    }
    return {};
  });
}

function decodeToleration(
  members: readonly JsonMember[],
  messages: string[],
): Decoded<'Toleration'> {
  const entries = members.flatMap(({ key, value }) => {
    const known = FIELDS.find(({ field }) => field.toLowerCase() === key.toLowerCase());
    if (known === undefined || value.kind === 'null') return [];
    const result = decodeScalar(value, known.scalar);
    if (result.kind === 'value') return [[known.field, result.value] as const];
    if (result.kind === 'mismatch') {
      const target = `Go struct field Toleration.${known.go} of type ${known.type}`;
      messages.push(cannotUnmarshal(result.found, target));
    }
    return [];
  });
  // The table has the type of each field.
  return Object.fromEntries(entries);
}

function cannotUnmarshal(found: string, target: string): string {
  return `json: cannot unmarshal ${found} into ${target}`;
}
