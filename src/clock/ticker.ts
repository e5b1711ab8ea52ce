import { AT_REST, type Clock, type Timer } from './clock.js';

/**
 * Go's time.Ticker: ticks stay in phase with its begin, one waits to be taken, and further ones are dropped until it
 * is.
 */
export class Ticker {
  #pending = false;
  #timer: Timer | undefined;
  #next: number;
  readonly #onTimer = (): typeof AT_REST => {
    this.#schedule();
    if (this.#pending) return AT_REST;
    this.#pending = true;
    this.onTick();
    return AT_REST;
  };

  constructor(
    private readonly clock: Clock,
    private period: number,
    /** Called at each tick that is not dropped, to have somebody run by itself; take it then or later. */
    private readonly onTick: () => void,
  ) {
    this.#next = clock.now();
    this.#schedule();
  }

  /** When it ticks next, in the clock's milliseconds. */
  get next(): number {
    return this.#next;
  }

  /** Whether a tick waits to be taken. */
  get pending(): boolean {
    return this.#pending;
  }

  /** Takes the waiting tick, if there is one. */
  take(): boolean {
    const waited = this.#pending;
    this.#pending = false;
    return waited;
  }

  /** Begins a new period now; a tick that waits is gone. */
  reset(period = this.period): void {
    this.stop();
    this.period = period;
    this.#next = this.clock.now();
    this.#schedule();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#pending = false;
  }

  #schedule(): void {
    const now = this.clock.now();
    const missed = now > this.#next ? Math.floor((now - this.#next) / this.period) : 0;
    this.#next += this.period * (missed + 1);
    this.#timer = this.clock.setTimeout(this.#onTimer, this.#next - now);
  }
}
