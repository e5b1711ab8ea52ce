import type { Clock } from '../../clock/clock.js';
import type { SyncError } from '../sync-result.js';

const NONE: ReadonlySet<string> = new Set();

/** Pods by the time at which they are due for a sync. Ports basicWorkQueue (pkg/kubelet/util/queue/work_queue.go). */
export class WorkQueue {
  private readonly due = new Map<string, number>();
  /** When the first of them is due: each second somebody asks, and mostly none is. */
  private earliest = Infinity;

  constructor(private readonly clock: Clock) {}

  /** Puts the pod in, in place of an earlier entry; due when more than `delay` milliseconds have passed. */
  enqueue(uid: string, delay: number): void {
    const due = this.clock.now() + delay;
    this.due.set(uid, due);
    if (due < this.earliest) this.earliest = due;
  }

  /** Takes out the pods that are due. */
  getWork(): ReadonlySet<string> {
    const now = this.clock.now();
    if (this.earliest >= now) return NONE;
    const ready = new Set([...this.due].flatMap(([uid, due]) => (due < now ? uid : [])));
    for (const uid of ready) this.due.delete(uid);
    this.earliest = Math.min(...this.due.values());
    return ready;
  }
}

/** Milliseconds between two syncs of a pod that nothing happens to. */
const RESYNC_INTERVAL = 60_000;
/** Milliseconds after an error that names no time of its own. */
const BACK_OFF_PERIOD = 10_000;
const JITTER_FACTOR = 0.5;

/**
 * Milliseconds until a pod is synced again: a minute after a good sync, at the end of a back-off, or 10 s after
 * another error; by up to half as much later, at random. Ports completeWork (pkg/kubelet/pod_workers.go).
 */
export function requeueDelay(clock: Clock, error: SyncError | undefined): number {
  if (error === undefined) return jitter(clock, RESYNC_INTERVAL);
  if (error.backoffUntil === undefined) return backOffDelay(clock);
  const backoff = Math.max(0, error.backoffUntil - clock.now());
  return jitter(clock, Math.min(backoff, RESYNC_INTERVAL));
}

/** Milliseconds until a pod that has to wait is looked at again. */
export function backOffDelay(clock: Clock): number {
  return jitter(clock, BACK_OFF_PERIOD);
}

/** Ports wait.Jitter (apimachinery/util/wait). */
function jitter(clock: Clock, duration: number): number {
  return duration + clock.random() * JITTER_FACTOR * duration;
}
