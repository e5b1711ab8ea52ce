import type { Padding } from './offset-map.js';

const INDICATOR = /[-?:](?=[ \t\r\n]|$)[ \t]*/y;
const PROPERTY = /[&!*][^ \t\r\n]*[ \t]*/y;
const BLOCK_SCALAR = /[|>][-+]?([1-9])?[-+]?[ \t]*(?:#[^\n]*)?(?=\r?\n|$)/y;
const PLAIN = /(?:[^:#\r\n]|:(?![ \t\r\n]|$)|(?<![ \t])#)+/y;
const KEY_END = /[ \t]*:(?=[ \t\r\n]|$)[ \t]*/y;
const LINE_REST = /[^\n]*(?:\n|$)/y;
const IGNORED_LINE = /[ \t]*(?:#[^\n]*|\r)?(?=\n|$)/y;

/**
 * Finds the lines that go on inside [] and {} or inside quotes, and says how far to indent them so that they
 * stand right of where that began. go-yaml does not look at their indentation, js-yaml does; to both it means
 * nothing.
 */
export class FlowLines {
  readonly paddings: Padding[] = [];
  /** The offsets of tabs that separate, outside of quotes. */
  readonly tabs: number[] = [];
  /** The first quote or bracket that is never closed. */
  unclosed: number | undefined;
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
    while (this.#position < text.length) this.#line();
  }

  /** A line in block context. */
  #line(): void {
    if (this.#take(IGNORED_LINE) !== undefined) {
      this.#take(LINE_REST);
      return;
    }
    while (this.#text[this.#position] === ' ') this.#position++;
    let column = -1;
    for (let next = this.#node(column); next !== undefined; next = this.#node(column))
      column = next;
    this.#take(LINE_REST);
  }

  /**
   * One step along a line: over an indicator or a key, whose column it returns, or over what ends the line. The
   * column is that of the collection whose value begins here.
   */
  #node(column: number): number | undefined {
    const start = this.#position;
    const here = this.#columnOf(start);
    if (this.#take(INDICATOR) !== undefined) return this.#separated(start, here);
    if (this.#take(PROPERTY) !== undefined) return column;
    const block = this.#take(BLOCK_SCALAR);
    if (block !== undefined) {
      this.#blockScalar(column, block[1]);
      return;
    }
    const character = this.#text[start];
    if (character === '"' || character === "'") this.#quoted(here);
    else if (character === '[' || character === '{') this.#flow(here);
    else if (this.#take(PLAIN) === undefined) return undefined;
    const end = this.#position;
    if (this.#take(KEY_END) !== undefined) return this.#separated(end, here);
    if (character !== undefined && !'"\'[{'.includes(character)) this.#plainLines(column);
    return undefined;
  }

  /** Notes the tabs before a flow collection that begins on this line. */
  #separated(from: number, column: number): number {
    if (/[[{]/.test(this.#text[this.#position] ?? '')) this.#noteTabs(from, this.#position);
    return column;
  }

  #noteTabs(from: number, to: number): void {
    for (let at = from; at < to; at++) {
      if (this.#text[at] === '\t') this.tabs.push(at);
    }
  }

  /** The lines that a plain scalar goes on in: they may begin with anything. */
  #plainLines(column: number): void {
    this.#take(LINE_REST);
    while (this.#position < this.#text.length && this.#isDeeper(column)) this.#take(LINE_REST);
    // The caller reads on to the end of a line.
    if (this.#position < this.#text.length) this.#position--;
  }

  #isDeeper(column: number): boolean {
    const indent = /[ ]*/y;
    indent.lastIndex = this.#position;
    const spaces = indent.exec(this.#text)?.[0].length ?? 0;
    const next = this.#text[this.#position + spaces];
    return next === '\n' || next === '\r' || (spaces > column && next !== '#');
  }

  #blockScalar(column: number, digit: string | undefined): undefined {
    this.#take(LINE_REST);
    let indent = digit === undefined ? undefined : Math.max(column, 0) + Number(digit);
    while (this.#position < this.#text.length) {
      const line = /( *)([^\r\n]?)/y;
      line.lastIndex = this.#position;
      const [, spaces = '', first = ''] = line.exec(this.#text) ?? [];
      if (first !== '') {
        if (spaces.length < (indent ?? column + 1)) break;
        indent ??= spaces.length;
      }
      this.#take(LINE_REST);
    }
    if (this.#position < this.#text.length) this.#position--;
    return undefined;
  }

  /** A quoted scalar, whose first quote is at `column`. */
  #quoted(column: number): void {
    const start = this.#position;
    const quote = this.#text[this.#position++];
    while (this.#position < this.#text.length) {
      const character = this.#text[this.#position++];
      if (character === '\\' && quote === '"') this.#escaped(column);
      else if (character === '\n') this.#goOn(column);
      else if (character === quote) {
        if (quote !== "'" || this.#text[this.#position] !== "'") return;
        this.#position++;
      }
    }
    this.unclosed ??= start;
  }

  #escaped(column: number): void {
    if (this.#text[this.#position] === '\r') this.#position++;
    if (this.#text[this.#position++] === '\n') this.#goOn(column);
  }

  #flow(column: number): void {
    const start = this.#position;
    let depth = 0;
    while (this.#position < this.#text.length) {
      const character = this.#text[this.#position] ?? '';
      if (character === '"' || character === "'") {
        if (this.#opensQuote()) {
          this.#quoted(column);
          continue;
        }
      }
      this.#position++;
      if (character === '\t') this.tabs.push(this.#position - 1);
      else if (character === '\n') this.#goOn(column);
      else if (character === '#' && this.#isCommentAt(this.#position - 1)) this.#skipComment();
      else if (character === '[' || character === '{') depth++;
      else if ((character === ']' || character === '}') && --depth === 0) return;
    }
    this.unclosed ??= start;
  }

  /** Inside a plain word a quote is a letter. */
  #opensQuote(): boolean {
    return /[\s[\]{},:]/.test(this.#text[this.#position - 1] ?? ' ');
  }

  #isCommentAt(offset: number): boolean {
    return /\s/.test(this.#text[offset - 1] ?? ' ');
  }

  #skipComment(): void {
    while (this.#position < this.#text.length && this.#text[this.#position] !== '\n')
      this.#position++;
  }

  /** Indents the line that begins here so that it stands right of `column`. */
  #goOn(column: number): void {
    const offset = this.#position;
    let spaces = 0;
    while (this.#text[offset + spaces] === ' ') spaces++;
    if (spaces <= column) this.paddings.push({ offset, spaces: column + 1 - spaces });
  }

  #columnOf(offset: number): number {
    return offset - this.#text.lastIndexOf('\n', offset - 1) - 1;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#position;
    const match = pattern.exec(this.#text);
    if (match === null) return undefined;
    this.#position += match[0].length;
    return match;
  }
}
