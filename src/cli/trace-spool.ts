import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { encodeLine } from '../trace/codec.js';
import type { TraceLine } from '../trace/trace-line.js';

/** Characters that are kept back before they are written together. */
const CHUNK = 64 * 1024;
/** A trace longer than that is not kept any further. */
const LONGEST = 1024 ** 3;

/** The trace of a run so far, in a file that goes with the process. */
export class TraceSpool {
  readonly #folder: string;
  readonly #path: string;
  readonly #file: number;
  #waiting: string[] = [];
  #waitingLength = 0;
  #length = 0;
  #lines = 0;
  #dropped = 0;

  constructor() {
    this.#folder = mkdtempSync(join(tmpdir(), 'kprobe-'));
    this.#path = join(this.#folder, 'trace.ndjson');
    this.#file = openSync(this.#path, 'a', 0o600);
  }

  line(line: TraceLine): void {
    if (this.#length > LONGEST) {
      this.#dropped++;
      return;
    }
    const text = `${encodeLine(line)}\n`;
    this.#waiting.push(text);
    this.#waitingLength += text.length;
    this.#length += text.length;
    this.#lines++;
    if (this.#waitingLength > CHUNK) this.#flush();
  }

  /** Copies the trace so far to a new file; rejects when there is one of that name. Resolves with its lines. */
  async save(path: string): Promise<{ readonly lines: number; readonly dropped: number }> {
    this.#flush();
    const saved = { lines: this.#lines, dropped: this.#dropped };
    // COPYFILE_EXCL: nothing is written over.
    await copyFile(this.#path, path, 1);
    return saved;
  }

  close(): void {
    closeSync(this.#file);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #flush(): void {
    const text = this.#waiting.join('');
    this.#waiting = [];
    this.#waitingLength = 0;
    if (text !== '') writeSync(this.#file, text);
  }
}
