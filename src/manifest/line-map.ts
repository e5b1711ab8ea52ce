export interface Position {
  /** From 1. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
}

const SURROGATE_PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;

/** Finds the line and column of an offset in a text. */
export class LineMap {
  readonly #text: string;
  #starts: readonly number[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  positionAt(offset: number): Position {
    const starts = this.#lineStarts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    const before = this.#text.slice(starts[low], offset);
    return { line: low + 1, column: before.replace(SURROGATE_PAIR, '.').length + 1 };
  }

  /** The text of a line, without its end. */
  lineAt(line: number): string {
    const starts = this.#lineStarts();
    return this.#text
      .slice(starts[line - 1] ?? this.#text.length, starts[line])
      .replace(/[\r\n]+$/, '');
  }

  #lineStarts(): readonly number[] {
    if (this.#starts !== undefined) return this.#starts;
    const starts = [0];
    for (const match of this.#text.matchAll(/\r\n?|\n/g))
      starts.push(match.index + match[0].length);
    this.#starts = starts;
    return starts;
  }
}
