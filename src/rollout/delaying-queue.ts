import { type Clock, goLater, type Timer } from '../clock/clock.js';

/**
 * A queue of keys, each in it once. Ports DelayingInterface (client-go/util/workqueue) with one worker, which syncs the
 * keys in their order after the current call. The kubelet's WorkQueue differs: its pods become due at the kubelet's
 * ticks.
 */
export class DelayingQueue {
  readonly #keys = new Set<string>();
  readonly #waiting = new Map<string, { readonly due: number; readonly timer: Timer }>();
  /** The key that is being synced; added again, it is queued after its sync. */
  #processing: string | undefined;
  readonly #dirty = new Set<string>();

  constructor(
    private readonly clock: Clock,
    private readonly sync: (key: string) => void,
  ) {}

  add(key: string): void {
    if (key === this.#processing) {
      this.#dirty.add(key);
      return;
    }
    if (this.#keys.size === 0) this.clock.go(() => this.#run());
    this.#keys.add(key);
  }

  /** Adds the key after a delay; of several, the earliest counts (AddAfter, delaying_queue.go). */
  addAfter(key: string, delay: number): void {
    const due = this.clock.now() + delay;
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined && waiting.due <= due) return;
    waiting?.timer.cancel();
    const add = (): void => {
      this.#waiting.delete(key);
      this.add(key);
    };
    this.#waiting.set(key, { due, timer: goLater(this.clock, add, delay) });
  }

  stop(): void {
    for (const { timer } of this.#waiting.values()) timer.cancel();
    this.#waiting.clear();
  }

  #run(): void {
    const [key] = this.#keys;
    if (key === undefined) return;
    this.#keys.delete(key);
    if (this.#keys.size > 0) this.clock.go(() => this.#run());
    this.#processing = key;
    this.sync(key);
    this.#processing = undefined;
    if (this.#dirty.delete(key)) this.add(key);
  }
}
