import type { Clock, Timer } from '../clock/clock.js';

/** A timer that is so many milliseconds late was held up by other work. */
const HELD_UP = 5;

/** The span of an attempt: what is under way when its time is up, or when it is over, is told so, once. */
export class Deadline {
  readonly #clock: Clock;
  readonly #due: number;
  readonly #callbacks = new Set<() => void>();
  #timer: Timer | undefined;
  #expired = false;
  #ended = false;

  /** Without a limit, only `end` ends it. */
  constructor(clock: Clock, milliseconds = Infinity) {
    this.#clock = clock;
    this.#due = clock.now() + milliseconds;
    if (milliseconds !== Infinity) {
      this.#timer = clock.setTimeout(() => this.#wake(), milliseconds);
    }
  }

  /** Whether the time is up. */
  get expired(): boolean {
    return this.#expired;
  }

  /** Milliseconds until the time is up. */
  get left(): number {
    return this.#due - this.#clock.now();
  }

  /** Calls back at the end, at once when it has come. The function that comes back takes that off again. */
  onEnd(callback: () => void): () => void {
    if (this.#ended) callback();
    else this.#callbacks.add(callback);
    return () => this.#callbacks.delete(callback);
  }

  /** The attempt is over: what it left behind is to be closed. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#timer?.cancel();
    for (const callback of this.#callbacks) callback();
    this.#callbacks.clear();
  }

  /** A timer may fire a fraction of a millisecond early; a timeout never does. */
  #wake(): void {
    const { left } = this;
    if (left > 0) {
      this.#timer = this.#clock.setTimeout(() => this.#wake(), left);
    } else if (left > -HELD_UP) {
      this.#expire();
    } else {
      // Timers come before what has arrived meanwhile, which may well have been in time.
      this.#clock.go(() => this.#expire());
    }
  }

  #expire(): void {
    if (this.#ended) return;
    this.#expired = true;
    this.end();
  }
}
