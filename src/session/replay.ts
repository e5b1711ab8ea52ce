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

/** `line` is the line that was shown before and is now shown again; undefined after a jump. */
type SeekListener = (summary: Summary, line?: TraceLine) => void;

/** Bounds of the speeds that `faster` and `slower` choose. */
const MIN_SPEED = 1 / 4;
const MAX_SPEED = 64;

/** Plays a recorded trace line by line, each line at its time. */
export class Replay {
  readonly length: number;
  readonly #clock: Clock;
  readonly #lines: readonly TraceLine[];
  readonly #listeners = new Set<LineListener>();
  readonly #seekListeners = new Set<SeekListener>();
  /** The clock's milliseconds and the trace's seconds from which time is counted; undefined until it plays. */
  #from: { readonly clock: number; readonly t: number } | undefined;
  #speed: number;
  #isPaused = false;
  #summary = EMPTY_SUMMARY;
  #next = 0;
  #delivered = 0;
  #timer: Timer | undefined;
  #onEnd: () => void = () => undefined;

  constructor({ clock, lines, length, speed }: ReplayOptions) {
    this.length = length;
    this.#clock = clock;
    this.#lines = lines.filter(({ t }) => t <= length);
    this.#speed = speed;
  }

  get summary(): Summary {
    return this.#summary;
  }

  get speed(): number {
    return this.#speed;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Seconds since the trace began. */
  get now(): number {
    if (this.#from === undefined) return 0;
    if (this.#isPaused) return this.#from.t;
    if (this.#speed === Infinity) return this.length;
    const seconds = (this.#clock.now() - this.#from.clock) / 1000;
    return Math.min(this.length, this.#from.t + seconds * this.#speed);
  }

  /** Adds a listener, which receives each line once, however often it is shown. */
  onLine(listener: LineListener): void {
    this.#listeners.add(listener);
  }

  onSeek(listener: SeekListener): void {
    this.#seekListeners.add(listener);
  }

  /** Plays the whole trace; resolves when it first ends, or when the signal is aborted. */
  play(signal: AbortSignal): Promise<'ended' | 'aborted'> {
    this.#from = { clock: this.#clock.now(), t: 0 };
    return new Promise((resolve) => {
      this.#onEnd = () => resolve('ended');
      const abort = (): void => {
        this.#timer?.cancel();
        resolve('aborted');
      };
      signal.addEventListener('abort', abort, { once: true });
      if (signal.aborted) abort();
      else this.#step();
    });
  }

  togglePause(): void {
    this.#change(() => (this.#isPaused = !this.#isPaused));
  }

  faster(): void {
    this.#change(() => (this.#speed = Math.max(this.#speed, Math.min(MAX_SPEED, this.#speed * 2))));
  }

  slower(): void {
    const slower = Math.min(MAX_SPEED, Math.max(MIN_SPEED, this.#speed / 2));
    this.#change(() => (this.#speed = Math.min(this.#speed, slower)));
  }

  /** Goes forward by this number of seconds of the trace, or back if it is negative. */
  seek(seconds: number): void {
    const to = Math.max(0, Math.min(this.length, this.now + seconds));
    // At infinite speed the replay would be at its end at once.
    if (this.#speed === Infinity) this.#speed = 1;
    if (seconds < 0) {
      this.#summary = EMPTY_SUMMARY;
      this.#next = this.#lines.findIndex(({ t }) => t > to);
      if (this.#next === -1) this.#next = this.#lines.length;
      for (const line of this.#lines.slice(0, this.#next)) {
        this.#summary = fold(this.#summary, line);
      }
      for (const listener of this.#seekListeners) listener(this.#summary);
    }
    this.#change(() => undefined, to);
  }

  /** Changes the speed or the pause, from the present time or another one on. */
  #change(change: () => void, t = this.now): void {
    if (this.#from === undefined) return;
    this.#timer?.cancel();
    this.#from = { clock: this.#clock.now(), t };
    change();
    this.#step();
  }

  #step(): void {
    this.#showDue();
    const wait = this.#wait();
    if (wait === undefined) this.#onEnd();
    else if (!this.#isPaused) this.#timer = this.#clock.setTimeout(() => this.#step(), wait);
  }

  /** Returns the milliseconds until the next line or the end; undefined after the end. */
  #wait(): number | undefined {
    const next = this.#lines[this.#next];
    const { now, length } = this;
    if (next === undefined && now >= length) return undefined;
    return Math.max(0, (((next?.t ?? length) - now) / this.#speed) * 1000);
  }

  #showDue(): void {
    for (;;) {
      const line = this.#lines[this.#next];
      if (line === undefined || line.t > this.now) return;
      this.#next++;
      this.#summary = fold(this.#summary, line);
      if (this.#next > this.#delivered) {
        this.#delivered = this.#next;
        for (const listener of this.#listeners) listener(line, this.#summary);
      } else {
        for (const listener of this.#seekListeners) listener(this.#summary, line);
      }
    }
  }
}
