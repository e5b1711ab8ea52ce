import type { Clock } from '../../clock/clock.js';
import type { RuntimePodStatus } from '../ports.js';
import { emptyRuntimePodStatus } from '../runtime-pod-status.js';

export type CachedPod =
  | { readonly kind: 'status'; readonly status: RuntimePodStatus }
  | { readonly kind: 'error'; readonly message: string };

interface Subscription {
  readonly uid: string;
  readonly time: number;
  readonly resolve: (pod: CachedPod) => void;
}

/** Keeps the statuses that the PLEG has read, with their times. Ports cache (pkg/kubelet/container/cache.go). */
export class PodCache {
  readonly #pods = new Map<string, { readonly pod: CachedPod; observed: number }>();
  #timestamp: number | undefined;
  #subscriptions: Subscription[] = [];

  constructor(private readonly clock: Clock) {}

  get(uid: string): CachedPod {
    return this.#pods.get(uid)?.pod ?? { kind: 'status', status: emptyRuntimePodStatus(uid) };
  }

  /** Waits for a status newer than `time`. Ports GetNewerThan. */
  getNewerThan(uid: string, time: number): CachedPod | Promise<CachedPod> {
    if (this.#isNewerThan(uid, time)) return this.get(uid);
    return new Promise((resolve) => {
      this.#subscriptions.push({ uid, time, resolve });
    });
  }

  set(uid: string, pod: CachedPod, timestamp: number): void {
    this.#pods.set(uid, { pod, observed: timestamp });
    this.#notify(timestamp, uid);
  }

  /** Records that the pod was listed unchanged. Ports SetObservedTime. */
  setObservedTime(uid: string, timestamp: number): void {
    const entry = this.#pods.get(uid);
    if (entry !== undefined) entry.observed = timestamp;
    this.#notify(timestamp, uid);
  }

  delete(uid: string): void {
    this.#pods.delete(uid);
  }

  /** Records that all pods were listed. Ports UpdateTime. */
  updateTime(timestamp: number): void {
    this.#timestamp = timestamp;
    this.#notify(timestamp);
  }

  #isNewerThan(uid: string, time: number): boolean {
    const observed = this.#pods.get(uid)?.observed ?? -Infinity;
    return Math.max(observed, this.#timestamp ?? -Infinity) > time;
  }

  #notify(timestamp: number, uid?: string): void {
    if (this.#subscriptions.length === 0) return;
    const due = (s: Subscription): boolean =>
      (uid === undefined || s.uid === uid) && timestamp >= s.time;
    const ready = this.#subscriptions.filter(due);
    this.#subscriptions = this.#subscriptions.filter((s) => !due(s));
    for (const subscription of ready) {
      const pod = this.get(subscription.uid);
      this.clock.go(() => subscription.resolve(pod));
    }
  }
}
