import type { Clock, Timer } from '../../../clock/clock.js';

/** Milliseconds between two frames: after a key, after an event, and when only time passes. */
const SOON = 100;
const REGULAR = 250;
/** No more than this part of the time goes into drawing what nobody asked for. */
const SHARE = 0.02;
const LONGEST = 1000;

/** Decides when to draw: at most ten times a second, and less often where drawing is dear. */
export class FrameTimer {
  #timer: Timer | undefined;
  #drawn: Timer | undefined;
  #due = Infinity;
  #last = -Infinity;
  #pause = REGULAR;
  #stopped = false;

  constructor(
    private readonly clock: Clock,
    private readonly draw: () => void,
  ) {}

  /** Asks for a frame: `soon` where the user waits for it. */
  request(when: 'soon' | 'regular'): void {
    if (this.#stopped) return;
    const now = this.clock.now();
    const due = Math.max(now, this.#last + (when === 'soon' ? SOON : this.#pause));
    if (due >= this.#due) return;
    this.#timer?.cancel();
    this.#due = due;
    this.#timer = this.clock.setTimeout(() => this.#fire(), due - now);
  }

  /** Draws nothing more. */
  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
    this.#drawn?.cancel();
  }

  #fire(): void {
    this.#due = Infinity;
    const begin = this.clock.now();
    this.#last = begin;
    this.draw();
    // React goes on drawing when this has returned.
    this.#drawn = this.clock.setTimeout(() => this.#rest(this.clock.now() - begin), 0);
  }

  #rest(cost: number): void {
    this.#pause = Math.min(LONGEST, Math.max(REGULAR, cost / SHARE));
    // Time passes: ages and countdowns change without any event.
    this.request('regular');
  }
}
