/** Splits a text that comes in chunks into lines, in linear time even for long lines. */
export class LineSplitter {
  readonly #decoder = new TextDecoder();
  #rest = '';

  /** The begin of a line whose end has not come. */
  get rest(): string {
    return this.#rest;
  }

  /** Returns the lines that a chunk ends. */
  add(chunk: Uint8Array): readonly string[] {
    const [end = '', ...others] = this.#decoder.decode(chunk, { stream: true }).split('\n');
    const lines = [this.#rest + end, ...others];
    this.#rest = lines.pop() ?? '';
    return lines;
  }

  /** Returns the last line, which has no line break; empty where there is none. */
  end(): string {
    return this.#rest + this.#decoder.decode();
  }
}
