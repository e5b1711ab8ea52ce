import { type Cursor, failScan, isBlank, isBreak, isBreakOrEnd } from './cursor.js';
import type { Mark } from './error.js';

const PLUS = 0x2b;
const DASH = 0x2d;
const TAB = 0x09;

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
    const problem = 'found a tab character where an indentation space is expected';
    failScan(this.cursor, this.start, problem);
  }
}
