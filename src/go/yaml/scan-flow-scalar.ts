import { type Cursor, failScan, isBlank, isBlankOrEnd, isBreak } from './cursor.js';
import type { Mark } from './error.js';

const DASH = 0x2d;
const DOT = 0x2e;
const HASH = 0x23;
const COLON = 0x3a;
const TAB = 0x09;
/** `,`, `?`, `[`, `]`, `{`, `}`: they end a plain scalar in a flow collection. */
const FLOW_ENDS = [0x2c, 0x3f, 0x5b, 0x5d, 0x7b, 0x7d];

/** Characters that start a plain scalar only together with the next character, or never. */
const INDICATORS = '-?:,[]{}#&*!|>\'"%@`';

/** Reports whether a plain scalar begins with a character that has `next` behind it. */
export function beginsPlain(character: string, next: number, inFlow: boolean): boolean {
  if (!isBlankOrEnd(character.charCodeAt(0)) && !INDICATORS.includes(character)) return true;
  if (character === '-') return !isBlank(next);
  return !inFlow && '?:'.includes(character) && !isBlankOrEnd(next);
}

interface PlainScalar {
  readonly value: string;
  readonly end: Mark;
  /** True if line breaks follow it. */
  readonly leadingBlanks: boolean;
}

/** Ports yaml_parser_scan_plain_scalar (go.yaml.in/yaml/v2 scannerc.go); `indent` is the least it may go on at. */
export function scanPlain(cursor: Cursor, inFlow: boolean, indent: number): PlainScalar {
  const start = cursor.mark;
  let end = start;
  let value = '';
  const gap = new Gap();
  for (;;) {
    if (cursor.isIndicator(DASH) || cursor.isIndicator(DOT)) break;
    if (cursor.peek() === HASH) break;
    const from = cursor.position;
    while (!endsPlain(cursor, inFlow)) cursor.skip();
    if (cursor.position > from) {
      value += gap.take() + cursor.text.slice(from, cursor.position);
      end = cursor.mark;
    }
    if (!isBlank(cursor.peek()) && !isBreak(cursor.peek())) break;
    gap.read(cursor, () => {
      if (cursor.column >= indent || cursor.peek() !== TAB) return;
      const problem = 'found a tab character that violates indentation';
      failScan(cursor, start, problem);
    });
    if (!inFlow && cursor.column < indent) break;
  }
  return { value, end, leadingBlanks: gap.hasBreak };
}

function endsPlain(cursor: Cursor, inFlow: boolean): boolean {
  const code = cursor.peek();
  if (isBlankOrEnd(code)) return true;
  if (code === COLON && isBlankOrEnd(cursor.peek(1))) return true;
  return inFlow && FLOW_ENDS.includes(code);
}

/** The blanks and line breaks between two pieces of a scalar: they are folded when another piece comes. */
export class Gap {
  #spaces = '';
  #first = '';
  #breaks = '';
  hasBreak = false;

  /** Reads blanks and breaks on; `check` looks at each blank behind a break. */
  read(cursor: Cursor, check: () => void = () => undefined): void {
    for (let code = cursor.peek(); isBlank(code) || isBreak(code); code = cursor.peek()) {
      if (isBreak(code)) this.addBreak(cursor);
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

  /** A line break that is escaped is none. */
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
    if (cursor.isIndicator(DASH) || cursor.isIndicator(DOT)) {
      fail('found unexpected document indicator');
    }
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
    } else {
      value += String.fromCharCode(code);
      cursor.skip();
    }
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
  const digits = cursor.text.slice(cursor.position, cursor.position + length);
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
