import type { FieldError } from '../../api/admission/index.js';
import { type DecodeIssue, fieldsOf, type GoType } from '../../api/decode/index.js';
import type { JsonNode, JsonObject } from '../../go/json-node.js';
import type { Severity } from '../diagnostic.js';
import { similarHint } from '../similar-name.js';
import { KIND_WORDS } from './manifest-object.js';
import type { SourceFile } from './source-file.js';

/** Reports an issue of strict decoding; `strict` is the severity of fields that the server would drop. */
export function reportIssue(source: SourceFile, issue: DecodeIssue, strict: Severity): void {
  const at = { offset: issue.start, field: issue.path };
  switch (issue.kind) {
    case 'unknown-field': {
      const hint =
        issue.since === undefined
          ? hintForUnknownField(issue.name, issue.structs, issue.names)
          : `Kubernetes ${issue.since} brings it: --kubernetes-version ${issue.since}`;
      source.report({ ...at, severity: strict, message: 'unknown field', hint, rule: issue.kind });
      return;
    }
    case 'dropped-field': {
      const message = `the API server drops it: the feature gate ${issue.gate} is off`;
      const hint = `--feature-gates ${issue.gate}=true`;
      source.report({ ...at, severity: 'warning', message, hint, rule: issue.kind });
      return;
    }
    case 'duplicate-field': {
      const hint = 'remove one of the two';
      source.report({ ...at, severity: strict, message: 'set twice', hint, rule: issue.kind });
      return;
    }
    case 'wrong-type': {
      const message = `must be ${describeWanted(issue.wanted)}, not ${describeFound(issue.found)}`;
      const hint = hintForWrongType(issue);
      source.report({ ...at, severity: 'error', message, hint, rule: issue.kind });
      return;
    }
    case 'unsafe-integer': {
      const message = `${issue.literal} is outside of the numbers that kprobe can represent`;
      const hint = `kprobe uses ${issue.literal.startsWith('-') ? '-' : ''}9007199254740991`;
      source.report({ ...at, severity: 'warning', message, hint });
    }
  }
}

type WrongType = Extract<DecodeIssue, { kind: 'wrong-type' }>;

function describeWanted(type: string): string {
  if (type === 'string' || type === 'types.UID') return 'a string';
  if (type === 'bool') return 'true or false';
  if (type === 'int32') return 'a 32-bit integer';
  if (type === 'int64') return 'an integer';
  if (type === 'intstr.IntOrString') return 'a number or a name';
  if (type === 'resource.Quantity') return 'a quantity such as 500m or 128Mi';
  if (type.endsWith('Time')) return 'a time such as 2006-01-02T15:04:05Z';
  if (type === '[]uint8') return 'base64';
  if (type.startsWith('[]')) return 'a list';
  return 'an object';
}

const QUOTABLE = 40;

function describeFound(node: JsonNode): string {
  if (node.kind === 'bool') return String(node.value);
  if (node.kind === 'number') return node.literal;
  if (node.kind === 'string' && node.value.length <= QUOTABLE) {
    return `the string ${JSON.stringify(node.value)}`;
  }
  return KIND_WORDS[node.kind];
}

function hintForWrongType({ found, wanted }: WrongType): string | undefined {
  if (wanted.startsWith('int') && found.kind === 'string') return hintForNumber(found.value);
  if (wanted === 'bool' && found.kind === 'string' && /^(?:true|false)$/i.test(found.value))
    return 'remove the quotes';
  if (wanted === 'string' && found.kind === 'number')
    return `in quotes it is a string: "${found.literal}"`;
  if (wanted === 'string' && found.kind === 'bool') {
    return 'YAML reads y, n, yes, no, on, off, true and false as booleans; put it in quotes';
  }
  if (wanted.startsWith('[]')) {
    return found.kind === 'object'
      ? 'put "- " before it, and indent the rest accordingly'
      : 'write each item on its own line after "- "';
  }
  if (found.kind === 'array' && /^v1\.[A-Z]/.test(wanted)) return 'remove the "- "';
  return undefined;
}

function hintForNumber(text: string): string | undefined {
  if (/^[+-]?\d+$/.test(text)) return 'remove the quotes';
  const duration = /^(\d+)\s*(?:s|sec|seconds?)$/.exec(text);
  return duration === null ? undefined : `the field is in seconds: write ${duration[1] ?? ''}`;
}

/** Guesses the meaning of an unknown field; undefined when nothing is similar. */
function hintForUnknownField(
  name: string,
  [struct = '', ...outer]: readonly string[],
  names: readonly string[] = [...fieldsOf(struct).keys()],
): string | undefined {
  const hint = similarHint(name, names);
  if (names.some((each) => each.toLowerCase() === name.toLowerCase())) return hint;
  const inner = fieldsWith(struct, name);
  // Plain containers are meant in most cases.
  if (inner.includes('containers')) return 'it belongs in containers';
  if (inner.length > 0) return `it belongs in ${inner.join(' or ')}`;
  const level = outer.findIndex((each) => fieldsOf(each).has(name));
  if (level === 0) return 'it belongs one level up';
  if (level > 0) return `it belongs ${level + 1} levels up`;
  return hint;
}

function fieldsWith(struct: string, name: string): readonly string[] {
  return [...fieldsOf(struct)].flatMap(([field, { type }]) => {
    const held = structOf(type);
    return held !== undefined && fieldsOf(held).has(name) ? [field] : [];
  });
}

function structOf(type: GoType): string | undefined {
  if (type.kind === 'struct') return type.struct;
  return type.kind === 'pointer' || type.kind === 'list' ? structOf(type.element) : undefined;
}

const HINTS: readonly (readonly [field: RegExp, message: RegExp, hint: string])[] = [
  [/[pP]robe$/, /must specify a handler type/, 'add httpGet, tcpSocket, grpc or exec'],
  [/\.(?:postStart|preStop)$/, /must specify a handler type/, 'add exec, httpGet or sleep'],
  [/./, /more than 1 handler type/, 'keep one; a second handler needs another probe or container'],
  [/\.exec\.command$/, /^Required/, 'such as ["cat", "/tmp/healthy"]'],
  [/\.port$/, /"\d+": must contain at least one letter/, 'remove the quotes to use the number'],
  [/successThreshold$/, /must be 1$/, 'only a readiness probe may require more than one success'],
  [/./, /init containers without restartPolicy=Always/, 'restartPolicy: Always makes it a sidecar'],
  [/containers$/, /^Required/, 'a pod has at least one container'],
  [/\.image$/, /^Required/, 'such as "image: example.com/app:1.0"'],
  [/^metadata\.name$/, /^Required/, 'such as "name: web"'],
  [
    /\.labels$/,
    /`selector` does not match/,
    'give the template the labels that the selector requires',
  ],
  [/\.selector$/, /^Required/, 'such as "selector: {matchLabels: {app: web}}"'],
];

/** Reports an error of validation at its field, in the server's words. */
export function reportFieldError(source: SourceFile, root: JsonNode, error: FieldError): void {
  const { field, type } = error;
  const message = field === '' ? error.message : error.message.slice(field.length + ': '.length);
  const known = HINTS.find(([path, pattern]) => path.test(field) && pattern.test(message))?.[2];
  // `FieldValueNotSupported` is `not-supported`.
  const words = type.slice('FieldValue'.length).replace(/(?<=[a-z])(?=[A-Z])/g, '-');
  source.report({
    severity: 'error',
    offset: locate(root, field),
    field,
    message,
    hint: known ?? nearestValue(message),
    rule: words.toLowerCase(),
  });
}

function nearestValue(body: string): string | undefined {
  const match = /^Unsupported value: "([^"]*)": supported values: (.*)$/.exec(body);
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  const supported = [...match[2].matchAll(/"([^"]*)"/g)].map(([, value = '']) => value);
  return similarHint(match[1], supported);
}

/** A node on the path to a field, its offset, and the rest of the path. */
interface Step {
  readonly node: JsonNode;
  readonly start: number;
  readonly rest: string;
}

/**
 * Returns the offset of a field path such as `spec.containers[0].ports[1].name`: of a scalar's value, or of the key of
 * anything else; when it is not there, of the nearest enclosing field.
 */
export function locate(root: JsonNode, path: string): number {
  let step: Step = { node: root, start: root.start, rest: path };
  while (step.rest !== '') {
    const next = nextStep(step);
    if (next === undefined) break;
    step = next;
  }
  return step.start;
}

function nextStep({ node, rest }: Step): Step | undefined {
  if (node.kind === 'array') return itemStep(node.items, rest);
  return node.kind === 'object' ? memberStep(node, rest) : undefined;
}

function itemStep(items: readonly JsonNode[], path: string): Step | undefined {
  const match = /^\[(\d+)\]\.?/.exec(path);
  const item = items[Number(match?.[1])];
  if (match === null || item === undefined) return undefined;
  return { node: item, start: item.start, rest: path.slice(match[0].length) };
}

/** A key may contain dots and be written in brackets: the longest key that the path continues with is taken. */
function memberStep({ members }: JsonObject, path: string): Step | undefined {
  let best: Step | undefined;
  for (const { key, keyStart, value } of members) {
    for (const written of [key, `[${key}]`]) {
      if (!path.startsWith(written) || !/^(?:$|[.[])/.test(path.slice(written.length))) continue;
      const rest = path.slice(written.length).replace(/^\./, '');
      if (best !== undefined && best.rest.length <= rest.length) continue;
      const scalar = value.kind !== 'object' && value.kind !== 'array' && value.kind !== 'null';
      best = { node: value, start: scalar ? value.start : keyStart, rest };
    }
  }
  return best;
}
