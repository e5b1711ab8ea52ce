import { AT_REST, type Clock, type Timer } from './clock.js';

/**
 * Go's time.Ticker: ticks stay in phase with its begin, one waits to be taken, and further ones are dropped until it
 * is.
 */
export class Ticker {
  private ticked = false;
  private timer: Timer | undefined;
  private due: number;
  private readonly onTimer = (): typeof AT_REST => {
    this.schedule();
    if (this.ticked) return AT_REST;
    this.ticked = true;
    this.onTick();
    return AT_REST;
  };

  constructor(
    private readonly clock: Clock,
    private period: number,
    /** Called at each tick that is not dropped, to have somebody run by itself; take it then or later. */
    private readonly onTick: () => void,
  ) {
    this.due = clock.now();
    this.schedule();
  }

  /** When it ticks next, in the clock's milliseconds. */
  get next(): number {
    return this.due;
  }

  /** Whether a tick waits to be taken. */
  get pending(): boolean {
    return this.ticked;
  }

  /** Takes the waiting tick, if there is one. */
  take(): boolean {
    const waited = this.ticked;
    this.ticked = false;
    return waited;
  }

  /** Begins a new period now; a tick that waits is gone. */
  reset(period = this.period): void {
    this.stop();
    this.period = period;
    this.due = this.clock.now();
    this.schedule();
  }

  stop(): void {
    this.timer?.cancel();
    this.ticked = false;
  }

  private schedule(): void {
    const { clock, period, due } = this;
    const now = clock.now();
    const missed = now > due ? Math.floor((now - due) / period) : 0;
    const next = due + period * (missed + 1);
    this.due = next;
    this.timer = clock.setTimeout(this.onTimer, next - now);
  }
}
