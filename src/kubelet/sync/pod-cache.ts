import type { Clock } from '../../clock/clock.js';
import type { RuntimePodStatus } from '../ports.js';
import { emptyRuntimePodStatus } from '../runtime-pod-status.js';

/** A pod's state in the runtime, or why it could not be told. */
export type CachedPod =
  | { readonly kind: 'status'; readonly status: RuntimePodStatus }
  | { readonly kind: 'error'; readonly message: string };

interface Entry {
  readonly pod: CachedPod;
  readonly modified: number;
  observed: number;
}

interface Subscription {
  readonly uid: string;
  readonly time: number;
  readonly resolve: (pod: CachedPod) => void;
}

/** What the PLEG has seen of each pod, and when. Ports cache (pkg/kubelet/container/cache.go). */
export class PodCache {
  readonly #pods = new Map<string, Entry>();
  #timestamp: number | undefined;
  #subscriptions: Subscription[] = [];

  constructor(private readonly clock: Clock) {}

  get(uid: string): CachedPod {
    return this.#pods.get(uid)?.pod ?? { kind: 'status', status: emptyRuntimePodStatus(uid) };
  }

  /** Waits until the pod was looked at later than `time`. Ports GetNewerThan. */
  getNewerThan(uid: string, time: number): CachedPod | Promise<CachedPod> {
    if (this.#isNewerThan(uid, time)) return this.get(uid);
    return new Promise((resolve) => {
      this.#subscriptions.push({ uid, time, resolve });
    });
  }

  set(uid: string, pod: CachedPod, timestamp: number): void {
    this.#pods.set(uid, { pod, modified: timestamp, observed: timestamp });
    this.#notify(timestamp, uid);
  }

  /** The pod was looked at, and had not changed. Ports SetObservedTime. */
  setObservedTime(uid: string, timestamp: number): void {
    const entry = this.#pods.get(uid);
    if (entry !== undefined) entry.observed = timestamp;
    this.#notify(timestamp, uid);
  }

  delete(uid: string): void {
    this.#pods.delete(uid);
  }

  /** All pods were looked at. Ports UpdateTime. */
  updateTime(timestamp: number): void {
    this.#timestamp = timestamp;
    this.#notify(timestamp);
  }

  #isNewerThan(uid: string, time: number): boolean {
    if (this.#timestamp !== undefined && this.#timestamp > time) return true;
    const entry = this.#pods.get(uid);
    return entry !== undefined && (entry.modified > time || entry.observed > time);
  }

  #notify(timestamp: number, uid?: string): void {
    if (this.#subscriptions.length === 0) return;
    const due = (s: Subscription): boolean =>
      (uid === undefined || s.uid === uid) && timestamp >= s.time;
    const ready = this.#subscriptions.filter(due);
    this.#subscriptions = this.#subscriptions.filter((s) => !due(s));
    for (const { uid: of, resolve } of ready) {
      const pod = this.get(of);
      this.clock.go(() => resolve(pod));
    }
  }
}
