import type { Clock } from '../../clock/clock.js';

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
