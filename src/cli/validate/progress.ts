import { escapeControl } from '../../render/text/escape.js';
import type { Io } from '../shared/io.js';

/** Fewer files are read before a line could be. */
const LEAST_FILES = 20;
const EVERY = 10;
const MAX_NAME = 60;
const CLEAR_LINE = '\r\u001b[2K';

/** A line on the terminal that says how far a command has come; nothing where there is no terminal. */
export class Progress {
  readonly #stream: Io['stderr'];
  readonly #total: number;
  #shown = false;

  constructor(stream: Io['stderr'], total: number) {
    this.#stream = stream;
    this.#total = total;
  }

  /** `done` files are through, `next` comes now. */
  show(done: number, next: string): void {
    if (this.#stream.isTTY !== true || this.#total < LEAST_FILES || done % EVERY !== 0) return;
    const name = escapeControl(next);
    const end = name.length > MAX_NAME ? `…${name.slice(-MAX_NAME)}` : name;
    this.#stream.write(`${CLEAR_LINE}${done} of ${this.#total} files: ${end}`);
    this.#shown = true;
  }

  clear(): void {
    if (this.#shown) this.#stream.write(CLEAR_LINE);
    this.#shown = false;
  }
}
