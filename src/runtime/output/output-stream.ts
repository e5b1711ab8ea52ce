import type { Readable } from 'node:stream';

import { counted } from '../../render/text/count.js';
import { LineSplitter } from './line-splitter.js';

/** Lines, and their bytes, that are handed on in a period. */
const MAX_LINES = 1000;
const MAX_BYTES = 1024 * 1024;

/** The lines of one stream: of each period the first ones, and how many came after. */
export class OutputStream {
  readonly #splitter: LineSplitter;
  #lines = 0;
  #bytes = 0;
  #dropped = 0;

  constructor(
    readonly readable: Readable,
    private readonly onLine: (text: string) => void,
  ) {
    this.#splitter = new LineSplitter({
      onLine: (line) => this.#take(line),
      onSkipped: (count) => (this.#dropped += count),
    });
  }

  push(chunk: Buffer): void {
    this.#splitter.push(chunk);
  }

  /** A new period begins. */
  renew(): void {
    const dropped = this.#dropped;
    this.#lines = this.#bytes = this.#dropped = 0;
    if (dropped === 0) return;
    this.onLine(`[kprobe: ${counted(dropped, 'line')} left out]`);
  }

  /** Nothing is taken any more; what has come in is handed on. */
  end(): void {
    this.readable.destroy();
    this.#splitter.end();
    this.renew();
  }

  #take(line: Buffer): boolean {
    this.#lines++;
    this.#bytes += line.length;
    // Once there is a gap, it lasts for the rest of the period.
    if (this.#lines > MAX_LINES || this.#bytes > MAX_BYTES) {
      this.#dropped++;
      return false;
    }
    this.onLine(line.toString('utf8'));
    return true;
  }
}
