import {
  closeSync,
  createReadStream,
  createWriteStream,
  mkdtempSync,
  openSync,
  type ReadStream,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';

import { RuntimeError } from '../../../kubelet/ports.js';
import { TraceReader } from '../../../trace/read-trace.js';
import type { TraceLine } from '../../../trace/trace-line.js';
import {
  type Ending,
  lineEncoder,
  traceEnd,
  type TraceHeader,
  type TraceRecord,
} from '../../../trace/trace-record.js';
import { OWNER_ONLY, shownPath, systemErrorText } from '../file-errors.js';

/** Bytes after which no more lines are kept. */
const MAX_BYTES = 1024 ** 3;

/** The trace of the current run, in a removed file that the process alone can read until it ends. */
export class TraceSpool {
  readonly #file: number = -1;
  readonly #encode = lineEncoder();
  #length = 0;
  #lines = 0;
  #dropped = 0;
  /** Seconds: the time of the last line. */
  #latest = 0;
  #writeError: string | undefined;

  constructor(header: TraceHeader) {
    try {
      this.#file = openRemovedFile();
    } catch (error) {
      this.#writeError = errorText(error);
    }
    this.#write(header);
  }

  line(line: TraceLine): void {
    if (this.#length > MAX_BYTES || !this.#write(line)) this.#dropped++;
    else {
      this.#lines++;
      this.#latest = line.t;
    }
  }

  /** Copies the trace to a new file and ends it there; rejects when the file exists. */
  async save(path: string, ending: Ending) {
    if (this.#length === 0) throw new RuntimeError(this.#writeError ?? 'there is no trace');
    const saved = { lines: this.#lines, dropped: this.#dropped };
    const last = `${this.#encode(traceEnd(ending, this.#latest))}\n`;
    const kept = this.#read();
    const ended = async function* (): AsyncGenerator<Buffer | string> {
      yield* kept as AsyncIterable<Buffer>;
      yield last;
    };
    await pipeline(ended, createWriteStream(path, { flags: 'wx', mode: OWNER_ONLY }));
    return saved;
  }

  async lines(): Promise<readonly TraceLine[]> {
    if (this.#length === 0) return [];
    const reader = new TraceReader();
    for await (const line of createInterface(this.#read())) reader.add(line);
    return reader.finish().trace?.lines ?? [];
  }

  /** Returns why lines are missing, or undefined. */
  close(): string | undefined {
    if (this.#file !== -1) closeSync(this.#file);
    return this.#writeError;
  }

  #read(): ReadStream {
    const range = { start: 0, end: this.#length - 1 };
    return createReadStream('', { ...range, fd: this.#file, autoClose: false });
  }

  /** Appends a record. Returns false from the first record on that cannot be written, since later lines refer to earlier ones. */
  #write(record: TraceRecord): boolean {
    if (this.#writeError !== undefined) return false;
    const bytes = Buffer.from(`${this.#encode(record)}\n`);
    try {
      writeFileSync(this.#file, bytes);
      this.#length += bytes.length;
    } catch (error) {
      this.#writeError = errorText(error);
    }
    return this.#writeError === undefined;
  }
}

function errorText(error: unknown): string {
  return `${systemErrorText(error)} in ${shownPath(tmpdir())}`;
}

function openRemovedFile(): number {
  const folder = mkdtempSync(join(tmpdir(), 'kprobe-'));
  const file = openSync(join(folder, 'trace.ndjson'), 'wx+', OWNER_ONLY);
  rmSync(folder, { recursive: true });
  return file;
}
