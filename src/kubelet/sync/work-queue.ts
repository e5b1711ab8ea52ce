import type { Clock } from '../../clock/clock.js';

const NONE: ReadonlySet<string> = new Set();

/** Pods by the time at which they are due for a sync. Ports basicWorkQueue (pkg/kubelet/util/queue/work_queue.go). */
export class WorkQueue {
  readonly #due = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  /** Puts the pod in, in place of an earlier entry; due when more than `delay` milliseconds have passed. */
  enqueue(uid: string, delay: number): void {
    this.#due.set(uid, this.clock.now() + delay);
  }

  /** Takes out the pods that are due. */
  getWork(): ReadonlySet<string> {
    const now = this.clock.now();
    let ready: Set<string> | undefined;
    for (const [uid, due] of this.#due) {
      if (due < now) (ready ??= new Set()).add(uid);
    }
    if (ready === undefined) return NONE;
    for (const uid of ready) this.#due.delete(uid);
    return ready;
  }
}
