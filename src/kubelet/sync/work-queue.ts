import type { Clock } from '../../clock/clock.js';
import type { SyncError } from '../sync-result.js';

const NONE: ReadonlySet<string> = new Set();

/** Queue of pods by the time of their next sync. Ports basicWorkQueue (pkg/kubelet/util/queue/work_queue.go). */
export class WorkQueue {
  readonly #due = new Map<string, number>();
  /** Earliest due time, so that the tick each second is cheap. */
  #earliest = Infinity;

  constructor(private readonly clock: Clock) {}

  /** Adds or replaces the pod; it is due when more than `delay` milliseconds have passed. */
  enqueue(uid: string, delay: number): void {
    const due = this.clock.now() + delay;
    this.#due.set(uid, due);
    if (due < this.#earliest) this.#earliest = due;
  }

  /** Removes and returns the pods that are due. */
  getWork(): ReadonlySet<string> {
    const now = this.clock.now();
    if (this.#earliest >= now) return NONE;
    const ready = new Set([...this.#due].flatMap(([uid, due]) => (due < now ? uid : [])));
    for (const uid of ready) this.#due.delete(uid);
    this.#earliest = Math.min(...this.#due.values());
    return ready;
  }
}

/** Milliseconds between two syncs of an unchanged pod. */
const RESYNC_INTERVAL = 60_000;
/** Milliseconds after an error without a back-off. */
const BACK_OFF_PERIOD = 10_000;
const JITTER_FACTOR = 0.5;

/**
 * Milliseconds until a pod's next sync: a minute after a successful sync, at the end of a back-off, or 10 s after
 * another error, plus random jitter of up to half as much. Ports completeWork (pkg/kubelet/pod_workers.go).
 */
export function requeueDelay(clock: Clock, error: SyncError | undefined): number {
  if (error === undefined) return jitter(clock, RESYNC_INTERVAL);
  if (error.backoffUntil === undefined) return backOffDelay(clock);
  const backoff = Math.max(0, error.backoffUntil - clock.now());
  return jitter(clock, Math.min(backoff, RESYNC_INTERVAL));
}

/** Milliseconds until a waiting pod is tried again. */
export function backOffDelay(clock: Clock): number {
  return jitter(clock, BACK_OFF_PERIOD);
}

/** Ports wait.Jitter (apimachinery/util/wait). */
function jitter(clock: Clock, duration: number): number {
  return duration + clock.random() * JITTER_FACTOR * duration;
}
