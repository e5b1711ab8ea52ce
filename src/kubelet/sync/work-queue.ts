import type { Clock } from '../../clock/clock.js';
import type { SyncError } from '../sync-result.js';

/** Queue of pods by the time of their next sync. Ports basicWorkQueue (pkg/kubelet/util/queue/work_queue.go). */
export class WorkQueue {
  readonly #due = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  /** Adds or replaces the pod; it is due when more than `delay` milliseconds have passed. */
  enqueue(uid: string, delay: number): void {
    this.#due.set(uid, this.clock.now() + delay);
  }

  getWork(): ReadonlySet<string> {
    const now = this.clock.now();
    const ready = new Set<string>();
    for (const [uid, due] of this.#due) {
      if (due >= now) continue;
      ready.add(uid);
      this.#due.delete(uid);
    }
    return ready;
  }
}

/** Milliseconds between two syncs of an unchanged pod. */
const RESYNC_INTERVAL = 60_000;
/** Milliseconds from an error without a back-off to the next sync. */
const BACK_OFF_PERIOD = 10_000;
const JITTER_FACTOR = 0.5;

/**
 * Returns the milliseconds until a pod's next sync: a minute after a successful sync, the rest of a back-off, or 10 s
 * after another error. Random jitter adds up to half as much. Ports completeWork (pkg/kubelet/pod_workers.go).
 */
export function requeueDelay(clock: Clock, error?: SyncError): number {
  if (error === undefined) return jitter(clock, RESYNC_INTERVAL);
  if (error.backoffUntil === undefined) return retryDelay(clock);
  const backoff = Math.max(0, error.backoffUntil - clock.now());
  return jitter(clock, Math.min(backoff, RESYNC_INTERVAL));
}

/** Returns the milliseconds until a pod is tried again whose error has no back-off. */
export function retryDelay(clock: Clock): number {
  return jitter(clock, BACK_OFF_PERIOD);
}

/** Ports wait.Jitter (apimachinery/util/wait). */
function jitter(clock: Clock, duration: number): number {
  return duration + clock.random() * JITTER_FACTOR * duration;
}
