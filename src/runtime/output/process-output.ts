import type { Readable } from 'node:stream';

import type { Clock } from '../../clock/clock.js';
import { LineSplitter } from './line-splitter.js';
import { OutputBudget } from './output-budget.js';
import { OutputTail } from './output-tail.js';

type StreamName = 'stdout' | 'stderr';

export type OnLine = (stream: StreamName, text: string) => void;

/** What a process writes, line by line; of a flood only a part, and how much is missing. */
export class ProcessOutput {
  readonly #streams: readonly OutputStream[];
  readonly #budget: OutputBudget;
  readonly #tail = new OutputTail();
  #isDraining = false;

  constructor(
    clock: Clock,
    { stdout, stderr }: { readonly stdout: Readable; readonly stderr: Readable },
    onLine: OnLine,
  ) {
    this.#budget = new OutputBudget(clock, () => this.#onRenewed());
    const take = (bytes: number): boolean => this.#budget.takeLine(bytes);
    this.#streams = [
      new OutputStream(stdout, take, (text) => onLine('stdout', text)),
      new OutputStream(stderr, take, (text) => onLine('stderr', text)),
    ];
    for (const stream of this.#streams) {
      stream.readable.on('data', (chunk: Buffer) => this.#onData(stream, chunk));
    }
  }

  /** The last lines, of both streams. */
  tail(): string {
    return this.#tail.text();
  }

  /** The process has ended: what is left of its output is read without a pause. */
  drain(): void {
    this.#isDraining = true;
    for (const { readable } of this.#streams) readable.resume();
  }

  /** Nothing is taken any more; what has come in is handed on. */
  end(): void {
    this.#budget.stop();
    for (const stream of this.#streams) stream.end();
  }

  #onData(stream: OutputStream, chunk: Buffer): void {
    this.#tail.push(chunk);
    stream.push(chunk);
    if (this.#budget.takeRead(chunk.length) || this.#isDraining) return;
    for (const { readable } of this.#streams) readable.pause();
  }

  #onRenewed(): void {
    for (const stream of this.#streams) {
      stream.tellDropped();
      stream.readable.resume();
    }
  }
}

class OutputStream {
  readonly #splitter: LineSplitter;
  #dropped = 0;

  constructor(
    readonly readable: Readable,
    take: (bytes: number) => boolean,
    private readonly onLine: (text: string) => void,
  ) {
    this.#splitter = new LineSplitter((line) => {
      if (take(line.length)) onLine(line.toString('utf8'));
      else this.#dropped++;
    });
  }

  push(chunk: Buffer): void {
    this.#splitter.push(chunk);
  }

  tellDropped(): void {
    const dropped = this.#dropped;
    this.#dropped = 0;
    if (dropped > 0)
      this.onLine(`[kprobe: ${dropped} ${dropped === 1 ? 'line' : 'lines'} left out]`);
  }

  end(): void {
    this.readable.destroy();
    this.#splitter.end();
    this.tellDropped();
  }
}
