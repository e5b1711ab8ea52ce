import { AT_REST, type Clock, goLater, type Timer } from '../../clock/clock.js';
import { Ticker } from '../../clock/ticker.js';

/** Milliseconds between two looks at what is due. */
const SYNC_PERIOD = 1000;
const HOUSEKEEPING_PERIOD = 2000;
/** Milliseconds of the pauses while the runtime is down: the first, and the longest. */
const BASE_PAUSE = 100;
const MAX_PAUSE = 5000;

export interface SyncLoopOptions {
  readonly clock: Clock;
  /** Why pods cannot be synced now, or undefined. */
  readonly runtimeErrors: () => string | undefined;
  readonly onSyncTick: () => void;
  readonly onHousekeeping: () => void;
}

/**
 * Where all that happens comes together: one thing after the other, and nothing while the runtime is down. Ports
 * syncLoop and syncLoopIteration (pkg/kubelet/kubelet.go).
 */
export class SyncLoop {
  private readonly queue: (() => unknown)[] = [];
  private tickers: readonly Ticker[] = [];
  /** The loop waits for the next thing, and takes it whatever becomes of the runtime meanwhile. */
  private waiting = false;
  private scheduled = false;
  private stopped = false;
  private pause = BASE_PAUSE;
  private pauseTimer: Timer | undefined;

  constructor(private readonly options: SyncLoopOptions) {}

  start(): void {
    this.tickers = [
      this.ticker(SYNC_PERIOD, this.options.onSyncTick),
      this.ticker(HOUSEKEEPING_PERIOD, this.options.onHousekeeping),
    ];
    this.next();
    this.schedule();
  }

  stop(): void {
    this.stopped = true;
    this.pauseTimer?.cancel();
    for (const ticker of this.tickers) ticker.stop();
  }

  /** Has the loop do this in its turn; work of which nothing asynchronous comes may return AT_REST. */
  deliver(work: () => unknown): void {
    this.queue.push(work);
    this.schedule();
  }

  private ticker(period: number, handle: () => void): Ticker {
    const take = (): typeof AT_REST => {
      if (ticker.take()) handle();
      return AT_REST;
    };
    const onTick = (): void => this.deliver(take);
    const ticker = new Ticker(this.options.clock, period, onTick);
    return ticker;
  }

  /** The loop runs by itself: who delivered goes on first. */
  private schedule(): void {
    if (this.scheduled || !this.waiting) return;
    this.scheduled = true;
    this.options.clock.go(this.drain);
  }

  private readonly drain = (): unknown => {
    this.scheduled = false;
    let came: unknown = AT_REST;
    while (this.waiting && !this.stopped) {
      const work = this.queue.shift();
      if (work === undefined) break;
      if (work() !== AT_REST) came = undefined;
      this.next();
    }
    return came;
  };

  /** Waits for the next thing, or pauses, longer each time, while the runtime is down. */
  private next(): void {
    this.waiting = this.options.runtimeErrors() === undefined;
    if (this.waiting) {
      this.pause = BASE_PAUSE;
      return;
    }
    const goOn = (): void => {
      this.next();
      this.schedule();
    };
    this.pauseTimer = goLater(this.options.clock, goOn, this.pause);
    this.pause = Math.min(MAX_PAUSE, 2 * this.pause);
  }
}
