import type { Readable } from 'node:stream';

import type { Clock, Timer } from '../clock/clock.js';
import { counted } from '../render/text/count.js';
import { LineSplitter } from './line-splitter.js';

/** Milliseconds of a period, after which the limits start again. */
const PERIOD = 1000;
/** Bytes read in a period; a process that writes more has to wait for the next one. */
const MAX_READ = 8 * 1024 * 1024;

export type OnLine = (stream: 'stdout' | 'stderr', text: string) => void;

/** The output of a process by line; of a flood only a part, and the number of lines left out. */
export class ProcessOutput {
  readonly #clock: Clock;
  readonly #streams: readonly OutputStream[];
  readonly #tail = new OutputTail();
  #read = 0;
  #timer: Timer | undefined;
  #isDraining = false;

  constructor(
    clock: Clock,
    { stdout, stderr }: { readonly stdout: Readable; readonly stderr: Readable },
    onLine: OnLine,
  ) {
    this.#clock = clock;
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

  /** Reads the rest of the output without a pause, after the process has ended. */
  drain(): void {
    this.#isDraining = true;
    for (const { readable } of this.#streams) readable.resume();
  }

  /** Stops reading; passes on what has arrived. */
  end(): void {
    this.#timer?.cancel();
    for (const stream of this.#streams) stream.end();
  }

  #onData(stream: OutputStream, chunk: Buffer): void {
    this.#timer ??= this.#clock.setTimeout(() => this.#renew(), PERIOD);
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

/** Lines, and their bytes, passed on in a period. */
const MAX_LINES = 1000;
const MAX_BYTES = 1024 * 1024;

/** The lines of one stream: of each period the first ones, and how many came after. */
export class OutputStream {
  readonly #onLine: (text: string) => void;
  readonly #splitter: LineSplitter;
  #lines = 0;
  #bytes = 0;
  #dropped = 0;

  constructor(
    readonly readable: Readable,
    onLine: (text: string) => void,
  ) {
    this.#onLine = onLine;
    this.#splitter = new LineSplitter({
      onLine: (line) => this.#take(line),
      onSkipped: (count) => (this.#dropped += count),
    });
  }

  push(chunk: Buffer): void {
    this.#splitter.push(chunk);
  }

  /** Begins a new period. */
  renew(): void {
    const dropped = this.#dropped;
    this.#lines = this.#bytes = this.#dropped = 0;
    if (dropped === 0) return;
    this.#onLine(`[kprobe: ${counted(dropped, 'line')} left out]`);
  }

  /** Stops reading; passes on what has arrived. */
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
    this.#onLine(line.toString('utf8'));
    return true;
  }
}

/** MaxContainerTerminationMessageLogLength and -Lines (pkg/kubelet/container/runtime.go). */
const MAX_TAIL_BYTES = 2048;
const MAX_TAIL_LINES = 80;

/** The end of an output. Ports readLastStringFromContainerLogs (pkg/kubelet/kuberuntime/kuberuntime_container.go). */
export class OutputTail {
  #bytes = Buffer.alloc(0);

  push(chunk: Buffer): void {
    const last = chunk.subarray(-MAX_TAIL_BYTES);
    const before = this.#bytes.subarray(
      Math.max(0, this.#bytes.length + last.length - MAX_TAIL_BYTES),
    );
    this.#bytes = Buffer.concat([before, last]);
  }

  text(): string {
    const lines = this.#bytes.toString('utf8').split(/(?<=\n)/);
    return lines.slice(-MAX_TAIL_LINES).join('');
  }
}
