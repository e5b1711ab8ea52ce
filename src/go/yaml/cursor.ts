import { GoYamlError, type Mark } from './error.js';

const LF = 0x0a;
const CR = 0x0d;
const NEL = 0x85;
const LS = 0x2028;
const PS = 0x2029;
const SPACE = 0x20;
const TAB = 0x09;
const BOM = 0xfeff;
const DASH = 0x2d;
const DOT = 0x2e;

/** Bytes that go-yaml reads at once: it reports a bad character only with its chunk. */
const CHUNK = 512;

const REFUSED = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

const LINE = /[^\n\r\x85\u2028\u2029]*/y;

export function isBreak(code: number): boolean {
  return code === LF || code === CR || code === NEL || code === LS || code === PS;
}

export function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

export function isBreakOrEnd(code: number): boolean {
  return code === 0 || isBreak(code);
}

export function isBlankOrEnd(code: number): boolean {
  return isBlank(code) || isBreakOrEnd(code);
}

export function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

/** Reads a text character by character, and counts lines and columns. Ports reader and cursor of go-yaml. */
export class Cursor implements Mark {
  readonly text: string;
  offset = 0;
  line = 0;
  column = 0;
  readonly #end: number;
  /** Offset of the first character that YAML refuses; -1 without. */
  readonly #refused: number;

  constructor(text: string) {
    this.text = text;
    // It has no column; anywhere else it is a character as any other.
    if (text.charCodeAt(0) === BOM) this.offset = 1;
    const refused = text.search(REFUSED);
    this.#refused = refused;
    this.#end = refused === -1 ? text.length : chunkStart(text, refused);
  }

  /** The code unit `ahead` of here; 0 at the end. */
  peek(ahead = 0): number {
    const at = this.offset + ahead;
    if (at < this.#end) return this.text.charCodeAt(at);
    if (this.#refused === -1) return 0;
    const mark = { offset: this.#refused, line: 0, column: 0 };
    throw new GoYamlError('reader', 'control characters are not allowed', mark);
  }

  get mark(): Mark {
    const { offset, line, column } = this;
    return { offset, line, column };
  }

  skip(count = 1): void {
    this.offset += count;
    this.column += count;
  }

  /** Skips a line break, if there is one. */
  skipLine(): void {
    const code = this.peek();
    if (!isBreak(code)) return;
    this.offset += code === CR && this.peek(1) === LF ? 2 : 1;
    this.column = 0;
    this.line++;
  }

  /** Skips a line break, and returns its normalized text. */
  readLine(): string {
    const code = this.peek();
    this.skipLine();
    if (code === LS || code === PS) return String.fromCharCode(code);
    return isBreak(code) ? '\n' : '';
  }

  skipBlanks(): void {
    while (isBlank(this.peek())) this.skip();
  }

  skipSpaces(most = Infinity): void {
    const { text, offset } = this;
    let at = offset;
    while (at - offset < most && text.charCodeAt(at) === SPACE) at++;
    this.skip(at - offset);
  }

  /** Skips what a sticky pattern matches, and returns it. */
  take(pattern: RegExp): string {
    const from = this.offset;
    pattern.lastIndex = from;
    if (!pattern.test(this.text)) return '';
    this.skip(pattern.lastIndex - from);
    return this.text.slice(from, this.offset);
  }

  /** Takes what a sticky pattern matches as often as it does. */
  takeAll(pattern: RegExp): string {
    const from = this.offset;
    let end: number;
    do {
      end = this.offset;
      pattern.lastIndex = end;
      if (pattern.test(this.text)) this.skip(pattern.lastIndex - end);
    } while (this.offset > end);
    return this.text.slice(from, end);
  }

  takeLine(): string {
    return this.take(LINE);
  }

  /** Skips blanks and a comment; returns true before a line break. Tabs are skipped only with `tabs`. */
  skipToBreak(tabs: boolean): boolean {
    this.skipSpaces();
    if (tabs && this.peek() === TAB) this.skipBlanks();
    this.skipComment();
    return isBreak(this.peek());
  }

  skipComment(): void {
    if (this.peek() === 0x23) this.takeLine();
  }

  /** Returns the `---` or `...` that begins a line here and has a blank behind it. */
  documentMarker(): 'document-start' | 'document-end' | undefined {
    if (this.column !== 0) return undefined;
    const code = this.peek();
    if (code !== DASH && code !== DOT) return undefined;
    if (this.peek(1) !== code || this.peek(2) !== code) return undefined;
    if (!isBlankOrEnd(this.peek(3))) return undefined;
    return code === DASH ? 'document-start' : 'document-end';
  }
}

/** Fails at the cursor; `start` is where the construct begins that it was reading. */
export function failScan(cursor: Cursor, start: Mark, problem: string): never {
  throw new GoYamlError('scanner', problem, cursor.mark, start);
}

/** The offset where the 512 bytes begin that hold the character at `offset`. */
function chunkStart(text: string, offset: number): number {
  let bytes = 0;
  let start = 0;
  let chunk = 0;
  for (let at = 0; at < offset; at++) {
    const code = text.charCodeAt(at);
    bytes += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3;
    if (Math.floor(bytes / CHUNK) > chunk) {
      chunk = Math.floor(bytes / CHUNK);
      start = at + 1;
    }
  }
  return start;
}
