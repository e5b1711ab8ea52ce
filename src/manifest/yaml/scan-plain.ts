import { type Cursor, isBlank, isBlankOrEnd, isBreak } from './cursor.js';
import { GoYamlError, type Mark } from './go-yaml-error.js';

const DASH = 0x2d;
const DOT = 0x2e;
const HASH = 0x23;
const COLON = 0x3a;
const TAB = 0x09;
/** `,`, `?`, `[`, `]`, `{`, `}`: they end a plain scalar in a flow collection. */
const FLOW_ENDS = [0x2c, 0x3f, 0x5b, 0x5d, 0x7b, 0x7d];

/** What no plain scalar begins with, but for those that a character behind makes one. */
const INDICATORS = '-?:,[]{}#&*!|>\'"%@`';

/** Whether a plain scalar begins with a character that has `next` behind it. */
export function beginsPlain(character: string, next: number, inFlow: boolean): boolean {
  if (!isBlankOrEnd(character.charCodeAt(0)) && !INDICATORS.includes(character)) return true;
  if (character === '-') return !isBlank(next);
  return !inFlow && '?:'.includes(character) && !isBlankOrEnd(next);
}

export interface PlainScalar {
  readonly value: string;
  readonly end: Mark;
  /** Whether line breaks were read behind it. */
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
      throw new GoYamlError(
        'scanner',
        problem,
        cursor.mark,
        start,
        'while scanning a plain scalar',
      );
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

  /** What the gap comes to, which is then over. */
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
