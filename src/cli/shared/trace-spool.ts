import {
  closeSync,
  createReadStream,
  createWriteStream,
  mkdtempSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';

import { TraceReader } from '../../trace/read-trace.js';
import type { TraceLine } from '../../trace/trace-line.js';
import {
  lineEncoder,
  type TraceEnd,
  type TraceHeader,
  type TraceRecord,
} from '../../trace/trace-record.js';

/** Bytes after which no more lines are kept. */
const MAX_BYTES = 1024 ** 3;

/** The trace of the current run, in a file without a name, which disappears with the process. */
export class TraceSpool {
  readonly #file = openNameless();
  readonly #encode = lineEncoder();
  #length = 0;
  #lines = 0;
  #latest = 0;
  #dropped = 0;

  constructor(header: TraceHeader) {
    this.#write(header);
  }

  /** Seconds: the time of the last line. */
  get latest(): number {
    return this.#latest;
  }

  line(line: TraceLine): void {
    if (this.#length > MAX_BYTES) this.#dropped++;
    else {
      this.#write(line);
      this.#lines++;
      this.#latest = line.t;
    }
  }

  /** Copies the trace to a new file and ends it there; rejects when the file exists. */
  async save(
    path: string,
    end: TraceEnd,
  ): Promise<{ readonly lines: number; readonly dropped: number }> {
    const saved = { lines: this.#lines, dropped: this.#dropped };
    const range = { start: 0, end: this.#length - 1, fd: this.#file, autoClose: false };
    const last = `${this.#encode(end)}\n`;
    const ended = async function* (): AsyncGenerator<Buffer | string> {
      yield* createReadStream('', range) as AsyncIterable<Buffer>;
      yield last;
    };
    await pipeline(ended, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    return saved;
  }

  async lines(): Promise<readonly TraceLine[]> {
    const reader = new TraceReader();
    const range = { start: 0, end: this.#length - 1, fd: this.#file, autoClose: false };
    for await (const line of createInterface(createReadStream('', range))) reader.add(line);
    return reader.finish().trace?.lines ?? [];
  }

  close(): void {
    closeSync(this.#file);
  }

  #write(record: TraceRecord): void {
    this.#length += writeSync(this.#file, `${this.#encode(record)}\n`, this.#length);
  }
}

function openNameless(): number {
  const folder = mkdtempSync(join(tmpdir(), 'kprobe-'));
  const file = openSync(join(folder, 'trace.ndjson'), 'wx+', 0o600);
  rmSync(folder, { recursive: true });
  return file;
}
