import type { Readable } from 'node:stream';

import type { Clock, Timer } from '../../clock/clock.js';
import { OutputStream } from './output-stream.js';
import { OutputTail } from './output-tail.js';

/** Milliseconds after which as much is taken again. */
const PERIOD = 1000;
/** Bytes that are read in a period; who writes more waits for the next one. */
const MAX_READ = 8 * 1024 * 1024;

export type OnLine = (stream: 'stdout' | 'stderr', text: string) => void;

/** What a process writes, line by line; of a flood only a part, and how much is missing. */
export class ProcessOutput {
  readonly #streams: readonly OutputStream[];
  readonly #tail = new OutputTail();
  #read = 0;
  #timer: Timer | undefined;
  #isDraining = false;

  constructor(
    private readonly clock: Clock,
    { stdout, stderr }: { readonly stdout: Readable; readonly stderr: Readable },
    onLine: OnLine,
  ) {
    this.#streams = [
      new OutputStream(stdout, (text) => onLine('stdout', text)),
      new OutputStream(stderr, (text) => onLine('stderr', text)),
    ];
    for (const stream of this.#streams) {
      stream.readable.on('data', (chunk: Buffer) => this.#onData(stream, chunk));
      stream.readable.on('error', () => undefined);
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
    this.#timer?.cancel();
    for (const stream of this.#streams) stream.end();
  }

  #onData(stream: OutputStream, chunk: Buffer): void {
    this.#timer ??= this.clock.setTimeout(() => this.#renew(), PERIOD);
    this.#read += chunk.length;
    this.#tail.push(chunk);
    stream.push(chunk);
    if (this.#read < MAX_READ || this.#isDraining) return;
    for (const { readable } of this.#streams) readable.pause();
  }

  #renew(): void {
    this.#timer = undefined;
    this.#read = 0;
    for (const stream of this.#streams) {
      stream.renew();
      stream.readable.resume();
    }
  }
}
