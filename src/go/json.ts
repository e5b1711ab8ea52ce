import { type JsonMember, type JsonNode, MAX_DEPTH } from './json-node.js';
import { goJson, quoteByte } from './text.js';

const WORDS = ['null', 'true', 'false'];
const WORD = /null|true|false/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const SPACE = /[ \t\r\n]*/y;
const PLAIN_STRING = /[^"\\\u0000-\u001f]*/y;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
/** Nothing in the API is nested deeper than this. */
const MAX_VALUE_DEPTH = 100;

/** A text that is not YAML or JSON; `offset` is where it stops being so. */
export class SyntaxProblem extends Error {
  constructor(
    message: string,
    readonly offset: number,
    readonly hint?: string,
    /** The message in Go's words, which kubectl prints, or else in kprobe's. */
    readonly server = message,
    /** Characters that Go's scanner got further than `offset`. */
    readonly ahead = 0,
  ) {
    super(message);
  }
}

interface JsonValueAt {
  readonly node: JsonNode;
  /** Offset of the text after the value. */
  readonly end: number;
}

/**
 * Reads one JSON value from `start` on, or undefined at the end of the text; duplicate keys are kept.
 *
 * @throws SyntaxProblem
 */
export function parseJson(text: string, start = 0): JsonValueAt | undefined {
  const parser = new JsonParser(text, start);
  parser.skipSpace();
  if (parser.position === text.length) return undefined;
  const node = parser.value(0);
  return { node, end: parser.position };
}

class JsonParser {
  position: number;

  constructor(
    private readonly text: string,
    position: number,
  ) {
    this.position = position;
  }

  skipSpace(): void {
    this.#match(SPACE);
  }

  value(depth: number): JsonNode {
    if (depth > MAX_DEPTH)
      throw new SyntaxProblem(`nested more than ${MAX_DEPTH} deep`, this.position);
    const start = this.position;
    switch (this.text.charAt(start)) {
      case '{':
        return this.#object(depth);
      case '[':
        return this.#array(depth);
      case '"':
        return { kind: 'string', start, value: this.#string() };
      default:
        return this.#word(start);
    }
  }

  #word(start: number): JsonNode {
    const literal = this.#match(NUMBER);
    if (literal !== '') {
      this.#checkNumberEnd();
      return { kind: 'number', start, literal };
    }
    const word = this.#match(WORD);
    if (word === 'null') return { kind: 'null', start };
    if (word !== '') return { kind: 'bool', start, value: word === 'true' };
    return this.#fail('a value', ...this.#wordError(start));
  }

  #object(depth: number): JsonNode {
    const start = this.position++;
    const members: JsonMember[] = [];
    this.skipSpace();
    if (this.#take('}')) return { kind: 'object', start, members };
    do {
      this.skipSpace();
      const keyStart = this.position;
      if (this.text[keyStart] !== '"')
        this.#fail('a key in double quotes', 'looking for beginning of object key string');
      const key = this.#string();
      this.skipSpace();
      if (!this.#take(':')) this.#fail('":"', 'after object key');
      this.skipSpace();
      members.push({ key, keyStart, value: this.value(depth + 1) });
      this.skipSpace();
    } while (this.#take(','));
    if (!this.#take('}')) this.#fail('"," or "}"', 'after object key:value pair');
    return { kind: 'object', start, members };
  }

  #array(depth: number): JsonNode {
    const start = this.position++;
    const items: JsonNode[] = [];
    this.skipSpace();
    if (this.#take(']')) return { kind: 'array', start, items };
    do {
      this.skipSpace();
      items.push(this.value(depth + 1));
      this.skipSpace();
    } while (this.#take(','));
    if (!this.#take(']')) this.#fail('"," or "]"', 'after array element');
    return { kind: 'array', start, items };
  }

  #string(): string {
    this.position++;
    let value = this.#match(PLAIN_STRING);
    while (!this.#take('"')) {
      if (!this.#take('\\')) this.#fail('the closing quote of a string', 'in string literal');
      value += this.#escape() + this.#match(PLAIN_STRING);
    }
    return value.replace(LONE_SURROGATE, '\ufffd');
  }

  #escape(): string {
    const letter = this.text[this.position] ?? '';
    if (letter === 'u') {
      const digits = this.text.slice(this.position + 1, this.position + 5);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) {
        this.position += 1 + (/^[0-9a-fA-F]*/.exec(digits)?.[0].length ?? 0);
        this.#fail('four hexadecimal digits after \\u', 'in \\u hexadecimal character escape');
      }
      this.position += 5;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const escaped = ESCAPES[letter];
    if (escaped === undefined)
      return this.#fail('an escape such as \\n or \\u00e9', 'in string escape code');
    this.position++;
    return escaped;
  }

  #take(character: string): boolean {
    if (this.text[this.position] !== character) return false;
    this.position++;
    return true;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.position;
    const matched = pattern.exec(this.text)?.[0] ?? '';
    this.position += matched.length;
    return matched;
  }

  /** A point or an exponent without digits. */
  #checkNumberEnd(): void {
    const [begin = ''] =
      /^(?:\.|[eE][-+]?)/.exec(this.text.slice(this.position, this.position + 2)) ?? [];
    if (begin === '') return;
    this.position += begin.length;
    const where = begin === '.' ? 'after decimal point in' : 'in exponent of';
    this.#fail('a digit', `${where} numeric literal`);
  }

  /** Returns the error of Go's scanner about a word, and its offset in the word. */
  #wordError(start: number): [context: string, ahead: number] {
    const first = this.text[start];
    if (first === '-') return ['in numeric literal', 1];
    const word = WORDS.find((each) => each.startsWith(first ?? ' '));
    if (word === undefined) return ['looking for beginning of value', 0];
    let ahead = 1;
    while (this.text[start + ahead] === word[ahead]) ahead++;
    return [`in literal ${word} (expecting '${word[ahead] ?? ''}')`, ahead];
  }

  /** `ahead` is how many characters further Go's scanner gets, which compares them one by one. */
  #fail(wanted: string, context: string, ahead = 0): never {
    const found = this.text.codePointAt(this.position);
    const shown = found === undefined ? 'the text ends' : `found ${String.fromCodePoint(found)}`;
    const message = `not JSON: ${shown} where ${wanted} was expected`;
    const unexpected = this.text.codePointAt(this.position + ahead);
    const server =
      unexpected === undefined
        ? 'unexpected EOF'
        : `invalid character ${quoteByte(String.fromCodePoint(unexpected))} ${context}`;
    throw new SyntaxProblem(message, this.position, undefined, server, ahead);
  }
}

/** A value that JSON.parse has read, as the decoder takes it; it has no places in a text. */
export function jsonNodeOf(value: unknown, depth = 0): JsonNode {
  const start = 0;
  if (typeof value === 'boolean') return { kind: 'bool', start, value };
  if (typeof value === 'number') return { kind: 'number', start, literal: String(value) };
  if (typeof value === 'string') return { kind: 'string', start, value };
  if (typeof value !== 'object' || value === null || depth > MAX_VALUE_DEPTH) {
    return { kind: 'null', start };
  }
  if (Array.isArray(value)) {
    return { kind: 'array', start, items: value.map((item) => jsonNodeOf(item, depth + 1)) };
  }
  const members = Object.entries(value).map(([key, member]) => ({
    key,
    keyStart: start,
    value: jsonNodeOf(member, depth + 1),
  }));
  return { kind: 'object', start, members };
}

/** A value as Go's encoding/json writes it; members stay in their order. */
export function jsonText(node: JsonNode): string {
  switch (node.kind) {
    case 'null':
      return 'null';
    case 'bool':
      return String(node.value);
    case 'number':
      return node.literal;
    case 'string':
      return goJson(node.value);
    case 'array':
      return `[${node.items.map(jsonText).join(',')}]`;
    case 'object': {
      const members = node.members.map(({ key, value }) => `${goJson(key)}:${jsonText(value)}`);
      return `{${members.join(',')}}`;
    }
  }
}
