import { AT_REST, type Clock, type Timer } from '../../clock/clock.js';
import type { Runtime, RuntimePod, RuntimePodStatus } from '../ports.js';
import { messageOf } from '../sync-result.js';
import { computeEvents, hasUnknownChange, type PodLifecycleEvent } from './pleg-events.js';
import type { CachedPod, PodCache } from './pod-cache.js';

/** Milliseconds from one relist's end to the next. */
const RELIST_PERIOD = 1000;
/** A PLEG that has not relisted for so long is not healthy. */
const RELIST_THRESHOLD = 180_000;

export interface PlegOptions {
  readonly clock: Clock;
  readonly runtime: Runtime;
  readonly cache: PodCache;
  readonly onEvent: (event: PodLifecycleEvent) => void;
}

/**
 * Sees what the containers do: a relist each second, and of one pod when asked to. Ports GenericPLEG
 * (pkg/kubelet/pleg/generic.go).
 */
export class Pleg {
  /** What each pod was when its last events were made. */
  private readonly records = new Map<string, RuntimePod>();
  private readonly podsToReinspect = new Set<string>();
  private relistTime: number | undefined;
  private lastListing: readonly RuntimePod[] | undefined;
  /** What the runtime was asked before it is looked at. */
  private asked: ReturnType<Runtime['getPods']> | undefined;
  private timer: Timer | undefined;
  private onRelisted: (() => void) | undefined;
  private stopped = false;
  /** What it is to do: one thing after the other. */
  private readonly work: (() => Promise<void>)[] = [];
  private working = false;

  constructor(private readonly options: PlegOptions) {}

  /** Relists now, and each second from then on; resolves when the first relist is done. */
  start(): Promise<void> {
    return new Promise((resolve) => {
      this.onRelisted = resolve;
      this.scheduleRelist(0);
    });
  }

  stop(): void {
    this.stopped = true;
    this.timer?.cancel();
  }

  /** Ports Healthy: why the PLEG cannot be relied on, or undefined. */
  unhealthy(): string | undefined {
    if (this.relistTime === undefined) return 'pleg has yet to be successful';
    const elapsed = this.options.clock.now() - this.relistTime;
    if (elapsed <= RELIST_THRESHOLD) return undefined;
    return `pleg was last seen active ${Math.round(elapsed / 1000)}s ago; threshold is 3m0s`;
  }

  /** Looks at one pod now, unless a relist has since. Ports RequestRelist. */
  requestRelist(uid: string): void {
    const requested = this.options.clock.now();
    this.inTurn(async () => {
      if (this.relistTime !== undefined && this.relistTime >= requested) return;
      await this.relistPod(uid);
    });
  }

  private scheduleRelist(delay: number): void {
    this.timer = this.options.clock.setTimeout(this.onTime, delay);
  }

  private readonly onTime = (): typeof AT_REST => {
    this.inTurn(this.relistAll);
    return AT_REST;
  };

  private readonly relistAll = async (): Promise<void> => {
    await this.relist();
    this.onRelisted?.();
    this.onRelisted = undefined;
    if (!this.stopped) this.scheduleRelist(RELIST_PERIOD);
  };

  private inTurn(work: () => Promise<void>): void {
    this.work.push(work);
    if (this.working) return;
    this.working = true;
    this.options.clock.go(this.begin);
  }

  private readonly begin = (): unknown => {
    const relists = this.work.length === 1 && this.work[0] === this.relistAll;
    if (relists && this.relistTime !== undefined) {
      this.asked = this.options.runtime.getPods();
      // The listing is there without waiting, and is the last one: nothing has changed in between.
      if (!this.stopped && !this.mustReconcile(this.asked)) return this.noChange();
    }
    void this.workAll();
    return undefined;
  };

  private noChange(): typeof AT_REST {
    this.asked = undefined;
    this.work.length = 0;
    this.working = false;
    this.observed(this.options.clock.now());
    this.scheduleRelist(RELIST_PERIOD);
    return AT_REST;
  }

  private async workAll(): Promise<void> {
    for (let work = this.work.shift(); work !== undefined; work = this.work.shift()) await work();
    this.working = false;
  }

  /** Ports Relist. */
  private async relist(): Promise<void> {
    const { clock, runtime } = this.options;
    const timestamp = clock.now();
    let pods: readonly RuntimePod[];
    try {
      const asked = this.asked ?? runtime.getPods();
      this.asked = undefined;
      pods = await asked;
    } catch (error) {
      messageOf(error);
      return;
    }
    this.relistTime = timestamp;
    if (this.mustReconcile(pods)) {
      const current = new Map(pods.map((pod) => [pod.uid, pod]));
      for (const uid of new Set([...this.records.keys(), ...current.keys()])) {
        await this.reconcilePodRecord(uid, current.get(uid), timestamp);
      }
      this.lastListing = pods;
    }
    this.observed(timestamp);
  }

  private mustReconcile(pods: unknown): boolean {
    return pods !== this.lastListing || this.podsToReinspect.size > 0;
  }

  private observed(timestamp: number): void {
    this.relistTime = timestamp;
    this.options.cache.updateTime(timestamp);
  }

  /** Ports relistPod. */
  private async relistPod(uid: string): Promise<void> {
    const { clock, runtime, cache } = this.options;
    const timestamp = clock.now();
    let pod: RuntimePod | undefined;
    try {
      pod = (await runtime.getPods()).find((candidate) => candidate.uid === uid);
    } catch (error) {
      messageOf(error);
      return;
    }
    // A pod that is not there is left to the next relist of all.
    if (pod === undefined) return;
    await this.reconcilePodRecord(uid, pod, timestamp);
    cache.setObservedTime(uid, timestamp);
  }

  /** Ports reconcilePodRecord: what changed is looked at closely, kept in the cache, and told. */
  private async reconcilePodRecord(
    uid: string,
    pod: RuntimePod | undefined,
    timestamp: number,
  ): Promise<void> {
    const { cache, onEvent } = this.options;
    const old = this.records.get(uid);
    const reinspect = this.podsToReinspect.delete(uid);
    if (pod === old && !reinspect) return;
    const events = computeEvents(uid, old, pod);
    const unchanged = events.length === 0 && !hasUnknownChange(old, pod);
    if (unchanged && !reinspect) return;
    if (pod === undefined) {
      cache.delete(uid);
      this.records.delete(uid);
    } else {
      const inspected = await this.inspect(pod);
      cache.set(uid, inspected, timestamp);
      if (inspected.kind === 'error') {
        this.podsToReinspect.add(uid);
        return;
      }
      this.records.set(uid, pod);
    }
    if (unchanged) onEvent({ uid, type: 'PodSync' });
    for (const event of events) onEvent(event);
  }

  private async inspect(pod: RuntimePod): Promise<CachedPod> {
    try {
      const status = await this.options.runtime.getPodStatus(pod);
      return { kind: 'status', status: { ...status, ips: this.podIPs(pod.uid, status) } };
    } catch (error) {
      return { kind: 'error', message: messageOf(error) };
    }
  }

  /** A pod that is torn down keeps the address that it had. Ports getPodIPs. */
  private podIPs(uid: string, status: RuntimePodStatus): readonly string[] {
    if (status.ips.length > 0) return status.ips;
    if (status.sandboxStatuses.some((sandbox) => sandbox.state === 'ready')) return [];
    const old = this.options.cache.get(uid);
    return old.kind === 'status' ? old.status.ips : [];
  }
}
