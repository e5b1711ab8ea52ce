import { type Cursor, failScan, isBlank, isBlankOrEnd, isBreak, isBreakOrEnd } from './cursor.js';
import type { Mark } from './error.js';

const DASH = 0x2d;
const HASH = 0x23;
const PLUS = 0x2b;
const TAB = 0x09;
/** Parts that a pattern matches at once: a match of a million parts would overflow the stack. */
const MOST = 250;
/** The words of a plain scalar in one line; in a flow collection `,`, `?` and brackets end it. */
const BLOCK_WORDS = plainWords('');
const FLOW_WORDS = plainWords(',?[\\]{}');

function plainWords(ends: string): RegExp {
  const space = ' \\t\\n\\r\\x85\\u2028\\u2029';
  const colon = `:(?![${space}]|$)`;
  const gap = `[ \\t]+(?=[^${space}:#${ends}]|${colon})`;
  return new RegExp(`(?:[^${space}:${ends}]+|${colon}|${gap}){1,${MOST}}`, 'y');
}

/** Characters that start a plain scalar only together with the next character, or never. */
const INDICATORS = '-?:,[]{}#&*!|>\'"%@`';

/** Reports whether a plain scalar begins with a character that has `next` behind it. */
export function beginsPlain(character: string, next: number, inFlow: boolean): boolean {
  if (!isBlankOrEnd(character.charCodeAt(0)) && !INDICATORS.includes(character)) return true;
  if (character === '-') return !isBlank(next);
  return !inFlow && '?:'.includes(character) && !isBlankOrEnd(next);
}

/**
 * Ports yaml_parser_scan_plain_scalar (go.yaml.in/yaml/v2 scannerc.go); `indent` is the least it may go on at. True
 * `leadingBlanks` mean that line breaks follow.
 */
export function scanPlain(cursor: Cursor, start: Mark, inFlow: boolean, indent: number) {
  let value = '';
  const gap = new Gap();
  for (;;) {
    if (cursor.documentMarker() !== undefined || cursor.peek() === HASH) break;
    const words = cursor.takeAll(inFlow ? FLOW_WORDS : BLOCK_WORDS);
    if (words !== '') value += gap.take() + words;
    if (!isBlank(cursor.peek()) && !isBreak(cursor.peek())) break;
    gap.read(cursor, () => {
      if (cursor.column >= indent) return;
      failScan(cursor, start, 'found a tab character that violates indentation');
    });
    if (!inFlow && cursor.column < indent) break;
  }
  return { value, leadingBlanks: gap.hasBreak };
}

/** The blanks and line breaks between two pieces of a scalar: they are folded when another piece comes. */
class Gap {
  #spaces = '';
  #first = '';
  #breaks = '';
  hasBreak = false;

  /** Reads blanks and breaks on; `check` looks at each tab behind a break. */
  read(cursor: Cursor, check: () => void = () => undefined): void {
    for (let code = cursor.peek(); isBlank(code) || isBreak(code); code = cursor.peek()) {
      if (isBreak(code)) this.addBreak(cursor);
      else if (this.hasBreak && code !== TAB) cursor.skipSpaces();
      else {
        if (this.hasBreak) check();
        else this.#spaces += String.fromCharCode(code);
        cursor.skip();
      }
    }
  }

  addBreak(cursor: Cursor): void {
    if (this.hasBreak) this.#breaks += cursor.readLine();
    else {
      this.#spaces = '';
      this.#first = cursor.readLine();
      this.hasBreak = true;
    }
  }

  /** An escaped line break adds no text. */
  escapeBreak(): void {
    this.hasBreak = true;
  }

  /** Returns the folded text of the gap and resets it. */
  take(): string {
    const folded = this.hasBreak ? this.#fold() : this.#spaces;
    this.#spaces = this.#first = this.#breaks = '';
    this.hasBreak = false;
    return folded;
  }

  #fold(): string {
    if (this.#first !== '\n') return this.#first + this.#breaks;
    return this.#breaks === '' ? ' ' : this.#breaks;
  }
}

const SINGLE = 0x27;
const DOUBLE = 0x22;
const BACKSLASH = 0x5c;
const SINGLE_TEXT = quotedText("'");
const DOUBLE_TEXT = quotedText('"\\\\');

/** A text in quotes up to its end, an escape, or the blanks at the end of a line. */
function quotedText(ends: string): RegExp {
  const space = ' \\t\\n\\r\\x85\\u2028\\u2029';
  return new RegExp(`(?:[^${space}${ends}]+|[ \\t]+(?![${space}])){1,${MOST}}`, 'y');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  ' ': ' ',
  '"': '"',
  "'": "'",
  '\\': '\\',
  N: '\x85',
  _: '\xa0',
  L: '\u2028',
  P: '\u2029',
};
const HEX_LENGTHS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** Ports yaml_parser_scan_flow_scalar (go.yaml.in/yaml/v2 scannerc.go); the cursor is at the first quote. */
export function scanQuoted(cursor: Cursor, single: boolean): string {
  const start = cursor.mark;
  const quote = single ? SINGLE : DOUBLE;
  const fail = (problem: string): never => failScan(cursor, start, problem);
  cursor.skip();
  let value = '';
  for (;;) {
    if (cursor.documentMarker() !== undefined) fail('found unexpected document indicator');
    if (cursor.peek() === 0) fail('found unexpected end of stream');
    const gap = new Gap();
    value += scanWord(cursor, single, gap, start);
    if (cursor.peek() === quote) break;
    gap.read(cursor);
    value += gap.take();
  }
  cursor.skip();
  return value;
}

/** Up to a blank or the closing quote; an escaped line break is noted in the gap that follows. */
function scanWord(cursor: Cursor, single: boolean, gap: Gap, start: Mark): string {
  let value = '';
  for (let code = cursor.peek(); !isBlankOrEnd(code); code = cursor.peek()) {
    if (single && code === SINGLE) {
      if (cursor.peek(1) !== SINGLE) return value;
      value += "'";
      cursor.skip(2);
    } else if (!single && code === DOUBLE) return value;
    else if (!single && code === BACKSLASH) {
      if (isBreak(cursor.peek(1))) {
        cursor.skip();
        cursor.skipLine();
        gap.escapeBreak();
        return value;
      }
      value += scanEscape(cursor, start);
    } else value += cursor.takeAll(single ? SINGLE_TEXT : DOUBLE_TEXT);
  }
  return value;
}

function scanEscape(cursor: Cursor, start: Mark): string {
  const fail = (problem: string): never => failScan(cursor, start, problem);
  const letter = String.fromCharCode(cursor.peek(1));
  const length = HEX_LENGTHS[letter];
  if (length === undefined) {
    const escaped = ESCAPES[letter] ?? fail('found unknown escape character');
    cursor.skip(2);
    return escaped;
  }
  cursor.skip(2);
  const digits = cursor.text.slice(cursor.offset, cursor.offset + length);
  if (digits.length < length || !/^[0-9a-fA-F]+$/.test(digits)) {
    fail('did not find expected hexdecimal number');
  }
  const code = Number.parseInt(digits, 16);
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) {
    fail('found invalid Unicode character escape code');
  }
  cursor.skip(length);
  return String.fromCodePoint(code);
}

/** Ports yaml_parser_scan_block_scalar (go.yaml.in/yaml/v2 scannerc.go); `outer` is the indentation around it. */
export function scanBlock(cursor: Cursor, literal: boolean, outer: number): string {
  const start = cursor.mark;
  cursor.skip();
  const { chomping, increment } = scanHeader(cursor, start);
  const indent = increment === 0 ? 0 : Math.max(outer, 0) + increment;
  const breaks = new BlockBreaks(cursor, start, indent, outer);
  breaks.read();
  let value = '';
  let leadingBreak = '';
  let leadingBlank = false;
  while (cursor.column === breaks.indent && cursor.peek() !== 0) {
    const isBlankLine = isBlank(cursor.peek());
    if (!literal && !leadingBlank && !isBlankLine && leadingBreak === '\n') {
      if (breaks.text === '') value += ' ';
    } else value += leadingBreak;
    value += breaks.text;
    leadingBlank = isBlankLine;
    value += cursor.takeLine();
    leadingBreak = cursor.readLine();
    breaks.read();
  }
  if (chomping !== DASH) value += leadingBreak;
  if (chomping === PLUS) value += breaks.text;
  return value;
}

/** The indicators behind `|` or `>`, in either order, and the rest of their line. */
function scanHeader(cursor: Cursor, start: Mark): { chomping: number; increment: number } {
  const fail = (problem: string): never => failScan(cursor, start, problem);
  const chomp = (): number => {
    const code = cursor.peek();
    if (code !== PLUS && code !== DASH) return 0;
    cursor.skip();
    return code;
  };
  const digit = (): number => {
    const value = cursor.peek() - 0x30;
    if (value < 0 || value > 9) return 0;
    if (value === 0) fail('found an indentation indicator equal to 0');
    cursor.skip();
    return value;
  };
  const first = chomp();
  const increment = digit();
  const chomping = first === 0 && increment > 0 ? chomp() : first;
  cursor.skipBlanks();
  cursor.skipComment();
  if (!isBreakOrEnd(cursor.peek())) fail('did not find expected comment or line break');
  cursor.skipLine();
  return { chomping, increment };
}

/** The line breaks and the indentation before a line. Ports yaml_parser_scan_block_scalar_breaks. */
class BlockBreaks {
  text = '';

  /** `indent` is 0 until it is known. */
  constructor(
    readonly cursor: Cursor,
    readonly start: Mark,
    public indent: number,
    readonly outer: number,
  ) {}

  read(): void {
    const { cursor } = this;
    this.text = '';
    let deepest = 0;
    for (;;) {
      cursor.skipSpaces(this.indent === 0 ? Infinity : this.indent - cursor.column);
      deepest = Math.max(deepest, cursor.column);
      if (this.#isLeft() && cursor.peek() === TAB) this.#failTab();
      if (!isBreak(cursor.peek())) break;
      this.text += cursor.readLine();
    }
    if (this.indent === 0) this.indent = Math.max(deepest, this.outer + 1, 1);
  }

  #isLeft(): boolean {
    return this.indent === 0 || this.cursor.column < this.indent;
  }

  #failTab(): never {
    failScan(
      this.cursor,
      this.start,
      'found a tab character where an indentation space is expected',
    );
  }
}
