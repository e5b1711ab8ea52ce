import type { Readable } from 'node:stream';

import type { Clock, Timer } from '../clock/clock.js';
import { counted } from '../text/count.js';

/** Milliseconds after which the limits of a period start again. */
const PERIOD = 1000;
/** Bytes read in a period; a process that writes more has to wait for the next one. */
const MAX_READ = 8 * 1024 * 1024;

export type OnLine = (stream: 'stdout' | 'stderr', text: string) => void;

/** The output of a process, line by line; of a flood, the first lines of each second, the number left out, and the last lines. */
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

/** Lines, and their bytes, passed on in a period. */
const MAX_LINES = 1000;
const MAX_BYTES = 1024 * 1024;

/** The lines of one stream: the first of each period, the number left out, and at the end the last ones. */
class OutputStream {
  readonly #splitter: BoundedLineSplitter;
  readonly #tail = new OutputTail();
  #lines = 0;
  #bytes = 0;
  #dropped = 0;

  constructor(
    readonly readable: Readable,
    private readonly onLine: (text: string) => void,
  ) {
    this.#splitter = new BoundedLineSplitter({
      onLine: (line) => this.#take(line),
      onSkipped: (count) => (this.#dropped += count),
    });
  }

  push(chunk: Buffer): void {
    this.#tail.push(chunk);
    this.#splitter.push(chunk);
  }

  renew(): void {
    const dropped = this.#dropped;
    this.#lines = this.#bytes = this.#dropped = 0;
    if (dropped === 0) return;
    this.onLine(`[kprobe: ${counted(dropped, 'line')} left out]`);
  }

  end(): void {
    this.readable.destroy();
    this.#splitter.end();
    const last = this.#dropped === 0 ? [] : this.#tail.lines().slice(-this.#dropped);
    this.#dropped -= last.length;
    this.renew();
    // The last lines usually say why a program ends.
    last.forEach(this.onLine);
  }

  #take(line: Buffer): boolean {
    this.#lines++;
    this.#bytes += line.length;
    // Both counts only grow, so a gap lasts for the rest of the period.
    if (this.#lines > MAX_LINES || this.#bytes > MAX_BYTES) {
      this.#dropped++;
      return false;
    }
    this.onLine(line.toString('utf8'));
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

  /** Returns the last lines that are whole. */
  lines(): readonly string[] {
    const lines = this.#bytes
      .toString('utf8')
      .replace(/\r?\n$/, '')
      .split(/\r?\n/);
    return lines.slice(this.#bytes.length < MAX_TAIL_BYTES ? 0 : 1).slice(-MAX_TAIL_LINES);
  }
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Bytes of a line that are kept; a container runtime splits its log there. */
const MAX_LINE = 16 * 1024;

interface LineSink {
  /** Takes a line without its line break. Returns false to skip the rest of the chunk. */
  onLine(line: Buffer): boolean;
  onSkipped?(count: number): void;
}

/** Splits a stream of bytes into lines, and truncates long ones. */
export class BoundedLineSplitter {
  readonly #parts: Buffer[] = [];
  #length = 0;
  #isBegun = false;

  constructor(private readonly sink: LineSink) {}

  push(chunk: Buffer): void {
    let begin = 0;
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, begin);
      if (end === -1) break;
      const continues = this.#finish(chunk.subarray(begin, end));
      begin = continues ? end + 1 : this.#skip(chunk, end + 1);
    }
    if (begin < chunk.length) this.#keep(Buffer.from(chunk.subarray(begin)));
  }

  /** Passes on a last line without a line break. */
  end(): void {
    if (this.#isBegun) this.#finish(Buffer.alloc(0));
  }

  /** Returns the start of the last line of the chunk, which may continue in the next one. */
  #skip(chunk: Buffer, begin: number): number {
    let count = 0;
    let last = begin;
    for (let at = begin; at < chunk.length; at++) {
      if (chunk[at] !== LINE_FEED) continue;
      count++;
      last = at + 1;
    }
    if (count > 0) this.sink.onSkipped?.(count);
    return last;
  }

  #keep(part: Buffer): void {
    this.#isBegun = true;
    const room = MAX_LINE - this.#length;
    if (room <= 0) return;
    const kept = part.subarray(0, room);
    this.#parts.push(kept);
    this.#length += kept.length;
  }

  #finish(rest: Buffer): boolean {
    let line = rest.subarray(0, MAX_LINE);
    if (this.#isBegun) {
      this.#keep(rest);
      line = Buffer.concat(this.#parts);
      this.#parts.length = this.#length = 0;
      this.#isBegun = false;
    }
    const hasReturn = line.at(-1) === CARRIAGE_RETURN;
    return this.sink.onLine(hasReturn ? line.subarray(0, -1) : line);
  }
}
