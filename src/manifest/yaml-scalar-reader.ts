import { getScalarValue, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';

import type { JsonNode } from '../api/decode/json-node.js';
import { SyntaxProblem } from './syntax-error.js';
import { resolveScalar, type YamlScalar } from './yaml-scalar.js';
import { tabBehindPlainScalar, tabInBlockScalar } from './yaml-tabs.js';
import { readTag, type TagHandles } from './yaml-tag.js';

/** Makes JSON values of the scalars of one document. Offsets are those of js-yaml's events. */
export class ScalarReader {
  readonly #text: string;
  readonly #handles: TagHandles;

  constructor(text: string, handles: TagHandles) {
    this.#text = text;
    this.#handles = handles;
  }

  /**
   * `start` is what the value's place is to be, `column` that of the block collection that it stands in.
   *
   * @throws SyntaxProblem
   */
  read(event: ScalarEvent, start: number, column: number): JsonNode {
    if (event.valueStart !== -1) this.#check(event, column);
    const text = getScalarValue(this.#text, event);
    const tag = readTag(this.#text, event, this.#handles);
    if (tag === undefined && event.style !== SCALAR_STYLE.PLAIN) {
      return { kind: 'string', start, value: text };
    }
    const scalar = resolveScalar(text, tag);
    const offset = Math.max(event.valueStart, event.tagStart, 0);
    if (scalar === undefined) {
      throw new SyntaxProblem(
        `cannot decode ${JSON.stringify(text)} as a ${shortTag(tag)}`,
        offset,
      );
    }
    return toJson(scalar, start, text, offset);
  }

  /** The key `<<` of a merge: plain and untagged, or tagged as one. Ports isMerge (go.yaml.in/yaml/v2 decode.go). */
  isMerge(event: ScalarEvent): boolean {
    if (getScalarValue(this.#text, event) !== '<<') return false;
    const tag = readTag(this.#text, event, this.#handles);
    if (tag === undefined) return event.style === SCALAR_STYLE.PLAIN;
    return tag === 'tag:yaml.org,2002:merge';
  }

  /** What go-yaml refuses and js-yaml does not. */
  #check({ style, valueStart, valueEnd, indent, fast }: ScalarEvent, column: number): void {
    const text = this.#text;
    if (style === SCALAR_STYLE.PLAIN) refuseTab(tabBehindPlainScalar(text, valueEnd, column + 1));
    else if (style === SCALAR_STYLE.DOUBLE_QUOTED && !fast) refuseSlash(text, valueStart, valueEnd);
    else if (style === SCALAR_STYLE.LITERAL_BLOCK || style === SCALAR_STYLE.FOLDED_BLOCK) {
      refuseTab(tabInBlockScalar(text, valueStart, valueEnd, indent));
    }
  }
}

/** Where a scalar's first character is, its quote included; undefined when it has none. */
export function scalarStart({ style, valueStart }: ScalarEvent): number | undefined {
  if (valueStart === -1) return undefined;
  const isQuoted = style === SCALAR_STYLE.DOUBLE_QUOTED || style === SCALAR_STYLE.SINGLE_QUOTED;
  return isQuoted ? valueStart - 1 : valueStart;
}

/** As scalarStart; for a block scalar the line of its `|` or `>`. */
export function scalarHeader(text: string, event: ScalarEvent): number | undefined {
  const start = scalarStart(event);
  const isBlock =
    event.style === SCALAR_STYLE.LITERAL_BLOCK || event.style === SCALAR_STYLE.FOLDED_BLOCK;
  if (start === undefined || !isBlock) return start;
  return Math.max(text.lastIndexOf('\n', start - 1), 0);
}

/** @throws SyntaxProblem when there is a tab at that place */
export function refuseTab(offset: number | undefined): void {
  if (offset === undefined) return;
  const hint = 'YAML is indented with spaces; take the tab away';
  throw new SyntaxProblem('not YAML: a tab where only spaces may be', offset, hint);
}

/** YAML 1.1 has no escape for a slash. */
function refuseSlash(text: string, start: number, end: number): void {
  const slash = /^(?:[^\\]|\\[^/])*?\\\//s.exec(text.slice(start, end));
  if (slash === null) return;
  const offset = start + slash[0].length - 2;
  throw new SyntaxProblem(
    'not YAML: found unknown escape character',
    offset,
    'write "/" for "\\/"',
  );
}

function toJson(scalar: YamlScalar, start: number, text: string, offset: number): JsonNode {
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
      if (!Number.isFinite(scalar.value)) {
        const hint = 'put it in quotes if it is text';
        throw new SyntaxProblem(`${text} is not a value that JSON has`, offset, hint);
      }
      return { kind: 'number', start, literal: floatLiteral(scalar.value) };
  }
}

function floatLiteral(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

function shortTag(tag = ''): string {
  return tag.replace(/^tag:yaml\.org,2002:/, '!!');
}
