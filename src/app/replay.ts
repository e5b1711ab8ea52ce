import type { Clock, Timer } from '../clock/clock.js';
import { fold } from '../trace/summary/fold.js';
import { EMPTY_SUMMARY, type Summary } from '../trace/summary/summary.js';
import type { TraceLine } from '../trace/trace-line.js';
import type { LineListener } from './session.js';

export interface ReplayOptions {
  readonly clock: Clock;
  readonly lines: readonly TraceLine[];
  /** Seconds of the trace that are shown. */
  readonly length: number;
  /** Seconds of the trace per second; Infinity means all at once. */
  readonly speed: number;
}

/** Plays a recorded trace line by line, each line at its time. */
export class Replay {
  readonly #lines: readonly TraceLine[];
  readonly #listeners = new Set<LineListener>();
  #startedAt: number | undefined;
  #summary = EMPTY_SUMMARY;
  #next = 0;

  constructor(private readonly options: ReplayOptions) {
    this.#lines = options.lines.filter(({ t }) => t <= options.length);
  }

  get summary(): Summary {
    return this.#summary;
  }

  /** Seconds since the trace began. */
  get now(): number {
    const { clock, length, speed } = this.options;
    if (this.#startedAt === undefined) return 0;
    if (speed === Infinity) return length;
    return Math.min(length, ((clock.now() - this.#startedAt) / 1000) * speed);
  }

  onLine(listener: LineListener): void {
    this.#listeners.add(listener);
  }

  /** Plays the whole trace; resolves at its end, or when the signal is aborted. */
  play(signal: AbortSignal): Promise<'ended' | 'aborted'> {
    this.#startedAt = this.options.clock.now();
    return new Promise((resolve) => {
      let timer: Timer | undefined;
      const end = (how: 'ended' | 'aborted'): void => {
        timer?.cancel();
        resolve(how);
      };
      const step = (): void => {
        this.#showDue();
        const wait = this.#wait();
        if (wait === undefined) end('ended');
        else timer = this.options.clock.setTimeout(step, wait);
      };
      signal.addEventListener('abort', () => end('aborted'), { once: true });
      if (signal.aborted) end('aborted');
      else step();
    });
  }

  /** Milliseconds until the next line, or the end; undefined when it is over. */
  #wait(): number | undefined {
    const { length, speed } = this.options;
    const next = this.#lines[this.#next];
    const { now } = this;
    if (next === undefined && now >= length) return undefined;
    return Math.max(0, (((next?.t ?? length) - now) / speed) * 1000);
  }

  #showDue(): void {
    for (
      let line = this.#lines[this.#next];
      line !== undefined && line.t <= this.now;
      line = this.#lines[this.#next]
    ) {
      this.#next++;
      this.#summary = fold(this.#summary, line);
      for (const listener of this.#listeners) listener(line, this.#summary);
    }
  }
}
