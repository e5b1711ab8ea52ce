import { type DecodeIssue, fieldsOf, type GoType } from '../../api/index.js';
import type { JsonNode } from '../../go/json-node.js';
import type { Severity } from '../diagnostic.js';
import type { SourceFile } from '../documents/source-file.js';
import { suggest } from '../suggest.js';

/** Reports an issue of strict decoding; `strict` is the severity of fields that the server would drop. */
export function reportIssue(source: SourceFile, issue: DecodeIssue, strict: Severity): void {
  const at = { offset: issue.start, field: issue.path };
  switch (issue.kind) {
    case 'unknown-field': {
      const hint = hintForUnknownField(issue.name, issue.structs);
      source.report({ ...at, severity: strict, message: 'unknown field', hint, rule: issue.kind });
      return;
    }
    case 'duplicate-field': {
      const hint = 'remove one of the two';
      source.report({ ...at, severity: strict, message: 'set twice', hint, rule: issue.kind });
      return;
    }
    case 'wrong-type': {
      const message = `must be ${describeWanted(issue.wanted)}, not ${describeFound(issue.found)}`;
      const hint = hintFor(issue);
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
  switch (node.kind) {
    case 'null':
      return 'null';
    case 'array':
      return 'a list';
    case 'object':
      return 'an object';
    case 'bool':
      return String(node.value);
    case 'number':
      return node.literal;
    case 'string':
      return node.value.length <= QUOTABLE
        ? `the string ${JSON.stringify(node.value)}`
        : 'a string';
  }
}

function hintFor({ found, wanted }: WrongType): string | undefined {
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
function hintForUnknownField(name: string, structs: readonly string[]): string | undefined {
  const [own = '', ...outer] = structs;
  const near = suggest(name, [...fieldsOf(own).keys()]);
  const exact = near?.toLowerCase() === name.toLowerCase();
  if (near !== undefined && exact) return `did you mean "${near}"?`;
  const inner = fieldsWith(own, name);
  // Plain containers are meant in most cases.
  if (inner.includes('containers')) return 'it belongs in containers';
  if (inner.length > 0) return `it belongs in ${inner.join(' or ')}`;
  const around = outer.findIndex((struct) => fieldsOf(struct).has(name));
  if (around === 0) return 'it belongs one level up';
  if (around > 0) return `it belongs ${around + 1} levels up`;
  return near === undefined ? undefined : `did you mean "${near}"?`;
}

/** Returns the fields of a struct whose own struct has a field of that name. */
function fieldsWith(struct: string, name: string): readonly string[] {
  return [...fieldsOf(struct)].flatMap(([field, { type }]) => {
    const held = structOf(type);
    return held !== undefined && fieldsOf(held).has(name) ? [field] : [];
  });
}

function structOf(type: GoType): string | undefined {
  switch (type.kind) {
    case 'struct':
      return type.struct;
    case 'pointer':
    case 'list':
      return structOf(type.element);
    case 'map':
    case 'scalar':
      return undefined;
  }
}
