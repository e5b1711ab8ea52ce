const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Bytes of a line that are kept; a container runtime splits its log there. */
const MAX_LINE = 16 * 1024;

/** Cuts a stream of bytes into lines, long ones short. */
export class LineSplitter {
  readonly #parts: Buffer[] = [];
  #length = 0;
  #isBegun = false;

  /** `onLine` gets a line's bytes, without the line break; they are its own only until it returns. */
  constructor(private readonly onLine: (line: Buffer) => void) {}

  push(chunk: Buffer): void {
    let begin = 0;
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, begin);
      if (end === -1) break;
      this.#finish(chunk.subarray(begin, end));
      begin = end + 1;
    }
    if (begin < chunk.length) this.#keep(Buffer.from(chunk.subarray(begin)));
  }

  /** What no line break ended is a line, too. */
  end(): void {
    if (this.#isBegun) this.#finish(Buffer.alloc(0));
  }

  #keep(part: Buffer): void {
    this.#isBegun = true;
    const room = MAX_LINE - this.#length;
    if (room <= 0) return;
    const kept = part.subarray(0, room);
    this.#parts.push(kept);
    this.#length += kept.length;
  }

  #finish(rest: Buffer): void {
    let line = rest.subarray(0, MAX_LINE);
    if (this.#isBegun) {
      this.#keep(rest);
      line = Buffer.concat(this.#parts);
      this.#parts.length = this.#length = 0;
      this.#isBegun = false;
    }
    const hasReturn = line.at(-1) === CARRIAGE_RETURN;
    this.onLine(hasReturn ? line.subarray(0, -1) : line);
  }
}
