import { type Clock, goLater, type Timer } from '../../clock/clock.js';
import { Ticker } from '../../clock/ticker.js';
import type { EmitEvent } from '../event.js';
import type { Runtime } from '../ports.js';
import { messageOf } from '../sync-result.js';

/** Milliseconds between two checks for pods that are due. */
const SYNC_PERIOD = 1000;
const HOUSEKEEPING_PERIOD = 2000;
/** Milliseconds: the first and the longest pause while the runtime is down. */
const BASE_PAUSE = 100;
const MAX_PAUSE = 5000;

export interface SyncLoopOptions {
  readonly clock: Clock;
  readonly isRuntimeUp: () => boolean;
  readonly onSyncTick: () => void;
  readonly onHousekeeping: () => void;
}

/**
 * Handles events one after another, and none while the runtime is down. Ports syncLoop
 * and syncLoopIteration (pkg/kubelet/kubelet.go).
 */
export class SyncLoop {
  readonly #queue: (() => void)[] = [];
  #tickers: readonly Ticker[] = [];
  #stopped = false;
  #pauseTimer: Timer | undefined;
  /** Set while the loop waits for an event. */
  #resume: (() => void) | undefined;

  constructor(private readonly options: SyncLoopOptions) {}

  start(): void {
    this.#tickers = [
      this.#ticker(SYNC_PERIOD, this.options.onSyncTick),
      this.#ticker(HOUSEKEEPING_PERIOD, this.options.onHousekeeping),
    ];
    void this.#run();
  }

  stop(): void {
    this.#stopped = true;
    this.#pauseTimer?.cancel();
    for (const ticker of this.#tickers) ticker.stop();
  }

  deliver(work: () => void): void {
    this.#queue.push(work);
    const resume = this.#resume;
    this.#resume = undefined;
    if (resume !== undefined) this.options.clock.go(resume);
  }

  #ticker(period: number, handle: () => void): Ticker {
    const take = (): void => {
      if (ticker.take()) handle();
    };
    const ticker = new Ticker(this.options.clock, period, () => this.deliver(take));
    return ticker;
  }

  async #run(): Promise<void> {
    let pause = BASE_PAUSE;
    while (!this.#stopped) {
      if (this.options.isRuntimeUp()) {
        pause = BASE_PAUSE;
        // The next event is handled even if the runtime goes down while the loop waits for it.
        if (this.#queue.length === 0) await this.#nextEvent();
        this.#handleNext();
      } else {
        await this.#sleep(pause);
        pause = Math.min(MAX_PAUSE, 2 * pause);
      }
    }
  }

  #handleNext(): void {
    if (!this.#stopped) this.#queue.shift()?.();
  }

  #nextEvent(): Promise<void> {
    return new Promise((resolve) => {
      this.#resume = resolve;
    });
  }

  #sleep(delay: number): Promise<void> {
    return new Promise((resolve) => {
      this.#pauseTimer = goLater(this.options.clock, resolve, delay);
    });
  }
}

/** Milliseconds between two checks of the runtime. */
const CHECK_PERIOD = 5000;
/** Milliseconds without a successful check after which the runtime is down (maxWaitForContainerRuntime). */
const SYNC_THRESHOLD = 30_000;

export interface RuntimeStateOptions {
  readonly clock: Clock;
  readonly runtime: Runtime;
  readonly emit: EmitEvent;
}

/** Checks the runtime. Ports runtimeState and updateRuntimeUp (pkg/kubelet). */
export class RuntimeState {
  #lastSync: number | undefined;
  #timer: Timer | undefined;
  #stopped = false;
  #up = true;

  constructor(private readonly options: RuntimeStateOptions) {}

  /** Checks the runtime now and then every five seconds; resolves after the first check. */
  async start(): Promise<void> {
    await this.#updateRuntimeUp();
    if (this.#stopped) return;
    this.#timer = goLater(this.options.clock, () => void this.start(), CHECK_PERIOD);
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  /** Ports runtimeErrors. */
  isUp(): boolean {
    if (this.#lastSync === undefined) return false;
    return this.#lastSync + SYNC_THRESHOLD > this.options.clock.now();
  }

  async #updateRuntimeUp(): Promise<void> {
    const { runtime, clock } = this.options;
    try {
      await runtime.status();
      this.#lastSync = clock.now();
      this.#report(true);
    } catch (error) {
      this.#report(false, messageOf(error));
    }
  }

  #report(up: boolean, error?: string): void {
    if (up === this.#up) return;
    this.#up = up;
    this.options.emit({ kind: 'runtime', up, ...(error === undefined ? {} : { error }) });
  }
}
