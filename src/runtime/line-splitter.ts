const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Bytes of a line that are kept; a container runtime splits its log there. */
const MAX_LINE = 16 * 1024;

export interface LineSink {
  /** Takes a line without its line break. Returns false to skip the rest of the chunk. */
  onLine(line: Buffer): boolean;
  /** Takes the number of lines that were skipped. */
  onSkipped(count: number): void;
}

/** Splits a stream of bytes into lines, and truncates long ones. */
export class LineSplitter {
  readonly #sink: LineSink;
  readonly #parts: Buffer[] = [];
  #length = 0;
  #isBegun = false;

  constructor(sink: LineSink) {
    this.#sink = sink;
  }

  push(chunk: Buffer): void {
    let begin = 0;
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, begin);
      if (end === -1) break;
      const continues = this.#finish(chunk.subarray(begin, end));
      begin = continues ? end + 1 : this.#skip(chunk, end + 1);
    }
    if (begin < chunk.length) this.#keep(Buffer.from(chunk.subarray(begin)));
  }

  /** Passes on a last line without a line break. */
  end(): void {
    if (this.#isBegun) this.#finish(Buffer.alloc(0));
  }

  /** Returns the start of the last line of the chunk, which may continue in the next one. */
  #skip(chunk: Buffer, begin: number): number {
    let count = 0;
    let last = begin;
    for (let at = begin; at < chunk.length; at++) {
      if (chunk[at] !== LINE_FEED) continue;
      count++;
      last = at + 1;
    }
    if (count > 0) this.#sink.onSkipped(count);
    return last;
  }

  #keep(part: Buffer): void {
    this.#isBegun = true;
    const room = MAX_LINE - this.#length;
    if (room <= 0) return;
    const kept = part.subarray(0, room);
    this.#parts.push(kept);
    this.#length += kept.length;
  }

  #finish(rest: Buffer): boolean {
    let line = rest.subarray(0, MAX_LINE);
    if (this.#isBegun) {
      this.#keep(rest);
      line = Buffer.concat(this.#parts);
      this.#parts.length = this.#length = 0;
      this.#isBegun = false;
    }
    const hasReturn = line.at(-1) === CARRIAGE_RETURN;
    return this.#sink.onLine(hasReturn ? line.subarray(0, -1) : line);
  }
}
