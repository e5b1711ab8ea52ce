import {
  closeSync,
  createWriteStream,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { TraceLine } from '../../trace/trace-line.js';
import { lineEncoder, type TraceEnd, type TraceHeader } from '../../trace/trace-record.js';

/** Characters that are kept back before they are written together, and bytes that are copied at once. */
const CHUNK = 64 * 1024;
/** A trace longer than that is not kept any further. */
const LONGEST = 1024 ** 3;

/** The trace of a run so far, in a file that has no name: whatever ends the process, nothing stays of it. */
export class TraceSpool {
  readonly #file = openNameless();
  readonly #encode = lineEncoder();
  #waiting: string[];
  #waitingLength = 0;
  #length = 0;
  #lines = 0;
  #dropped = 0;

  constructor(header: TraceHeader) {
    this.#waiting = [`${this.#encode(header)}\n`];
  }

  line(line: TraceLine): void {
    if (this.#length > LONGEST) {
      this.#dropped++;
      return;
    }
    const text = `${this.#encode(line)}\n`;
    this.#waiting.push(text);
    this.#waitingLength += text.length;
    this.#length += text.length;
    this.#lines++;
    if (this.#waitingLength > CHUNK) this.#flush();
  }

  /** Copies the trace so far to a new file, and ends it there; rejects when there is one of that name. Resolves with its lines. */
  async save(
    path: string,
    end: TraceEnd,
  ): Promise<{ readonly lines: number; readonly dropped: number }> {
    this.#flush();
    const saved = { lines: this.#lines, dropped: this.#dropped };
    await pipeline(
      Readable.from(this.#chunks(end)),
      createWriteStream(path, { flags: 'wx', mode: 0o600 }),
    );
    return saved;
  }

  close(): void {
    closeSync(this.#file);
  }

  *#chunks(end: TraceEnd): Generator<Buffer> {
    const length = this.#written;
    for (let at = 0; at < length;) {
      const chunk = Buffer.alloc(Math.min(CHUNK, length - at));
      const read = readSync(this.#file, chunk, 0, chunk.length, at);
      if (read === 0) return;
      at += read;
      yield chunk.subarray(0, read);
    }
    yield Buffer.from(`${this.#encode(end)}\n`);
  }

  #written = 0;

  #flush(): void {
    const text = this.#waiting.join('');
    this.#waiting = [];
    this.#waitingLength = 0;
    if (text !== '') this.#written += writeSync(this.#file, text, this.#written);
  }
}

function openNameless(): number {
  const folder = mkdtempSync(join(tmpdir(), 'kprobe-'));
  const file = openSync(join(folder, 'trace.ndjson'), 'wx+', 0o600);
  rmSync(folder, { recursive: true });
  return file;
}
