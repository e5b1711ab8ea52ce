import type { Clock, Timer } from './clock.js';

/**
 * Ports Go's time.Ticker: ticks stay in phase with the start; one tick can be pending, and further ones are dropped.
 */
export class Ticker {
  pending = false;
  /** The time of the next tick, in the clock's milliseconds. */
  next: number;
  /** Milliseconds by which the last tick came late: the process was busy, or was stopped. */
  late = 0;
  /** Ticks that were skipped so far, because the process was late. */
  skipped = 0;
  #timer: Timer | undefined;

  /** Calls `onTick` at each tick that is not dropped; `take` consumes it then or later. */
  constructor(
    private readonly clock: Clock,
    public period: number,
    private readonly onTick: () => void,
  ) {
    this.next = clock.now();
    this.#schedule();
  }

  take(): boolean {
    const pending = this.pending;
    this.pending = false;
    return pending;
  }

  /** Starts a period now, or at an earlier time. */
  reset(from = this.clock.now()): void {
    this.stop();
    this.late = 0;
    this.next = from;
    this.#schedule();
  }

  stop(): void {
    this.#timer?.cancel();
    this.pending = false;
  }

  #schedule(): void {
    const now = this.clock.now();
    const missed = Math.max(0, Math.floor((now - this.next) / this.period));
    this.next += this.period * (missed + 1);
    this.#timer = this.clock.setTimeout(() => this.#tick(), this.next - now);
  }

  #tick(): void {
    const due = this.next;
    this.late = Math.max(0, this.clock.now() - due);
    this.#schedule();
    this.skipped += Math.round((this.next - due) / this.period) - 1;
    if (this.pending) return;
    this.pending = true;
    this.onTick();
  }
}
