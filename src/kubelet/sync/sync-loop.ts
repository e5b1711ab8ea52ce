import type { Pod, PodStatus } from '../../api/index.js';
import { type Clock, goLater, type Timer } from '../../clock/clock.js';
import { Ticker } from '../../clock/ticker.js';
import type { ProbeType } from '../../trace/event.js';
import type { ResultUpdate } from '../prober/results-manager.js';
import type { PodLifecycleEvent } from './pleg.js';

/** Milliseconds between two checks for pods that are due. */
const SYNC_PERIOD = 1000;
const HOUSEKEEPING_PERIOD = 2000;
/** Milliseconds of the first pause while the runtime is down. */
const BASE_PAUSE = 100;
/** Milliseconds of the longest pause. */
const MAX_PAUSE = 5000;

/** Change of a pod in its source. Ports PodOperation (pkg/kubelet/types/pod_update.go). */
export type PodOperation = 'ADD' | 'UPDATE' | 'REMOVE';

/** Event that the sync loop handles. Ports the channels of syncLoopIteration (pkg/kubelet/kubelet.go). */
export type SyncLoopEvent =
  | { readonly kind: 'config'; readonly operation: PodOperation; readonly pod: Pod }
  /** The API server shows another status of the pod. */
  | { readonly kind: 'reconcile'; readonly uid: string; readonly status: PodStatus }
  | { readonly kind: 'pleg'; readonly event: PodLifecycleEvent }
  | { readonly kind: 'probe'; readonly probeType: ProbeType; readonly update: ResultUpdate }
  | { readonly kind: 'sync' }
  | { readonly kind: 'housekeeping' };

/**
 * Handles events one after another, and none while the runtime is down. Ports syncLoop
 * and syncLoopIteration (pkg/kubelet/kubelet.go).
 */
export class SyncLoop {
  readonly #queue: SyncLoopEvent[] = [];
  readonly #tickers = new Map<SyncLoopEvent['kind'], Ticker>();
  #stopped = false;
  #pauseTimer: Timer | undefined;
  /** Set while the loop waits for an event. */
  #resume: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly isRuntimeUp: () => boolean,
    private readonly handle: (event: SyncLoopEvent) => void,
  ) {}

  start(): void {
    this.#startTicker('sync', SYNC_PERIOD);
    this.#startTicker('housekeeping', HOUSEKEEPING_PERIOD);
    void this.#run();
  }

  stop(): void {
    this.#stopped = true;
    this.#pauseTimer?.cancel();
    for (const ticker of this.#tickers.values()) ticker.stop();
  }

  deliver(event: SyncLoopEvent): void {
    this.#queue.push(event);
    const resume = this.#resume;
    this.#resume = undefined;
    if (resume !== undefined) this.clock.go(resume);
  }

  #startTicker(kind: 'sync' | 'housekeeping', period: number): void {
    this.#tickers.set(kind, new Ticker(this.clock, period, () => this.deliver({ kind })));
  }

  async #run(): Promise<void> {
    let pause = BASE_PAUSE;
    while (!this.#stopped) {
      if (this.isRuntimeUp()) {
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
    const event = this.#stopped ? undefined : this.#queue.shift();
    if (event === undefined) return;
    this.#tickers.get(event.kind)?.take();
    this.handle(event);
  }

  #nextEvent(): Promise<void> {
    return new Promise((resolve) => {
      this.#resume = resolve;
    });
  }

  #sleep(delay: number): Promise<void> {
    return new Promise((resolve) => {
      this.#pauseTimer = goLater(this.clock, resolve, delay);
    });
  }
}
