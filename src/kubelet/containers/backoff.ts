import type { Clock } from '../../clock/clock.js';

interface BackoffEntry {
  readonly backoff: number;
  readonly lastUpdate: number;
}

/**
 * Keeps a delay per key that doubles from `initial` to `max` milliseconds, and is forgotten `expiresAfter`
 * milliseconds after its last update. Ports Backoff (client-go/util/flowcontrol).
 */
export class Backoff {
  readonly #entries = new Map<string, BackoffEntry>();

  constructor(
    private readonly clock: Clock,
    private readonly initial: number,
    private readonly max: number,
    private readonly expiresAfter = 2 * max,
  ) {}

  /** Returns the current delay, 0 for an unknown key. Ports Get. */
  get(key: string): number {
    return this.#entries.get(key)?.backoff ?? 0;
  }

  /** Doubles the delay, or starts over when the last update is long before `eventTime`. Ports Next. */
  next(key: string, eventTime: number): void {
    const entry = this.#entries.get(key);
    const backoff =
      entry === undefined || this.#hasExpired(eventTime, entry)
        ? this.initial
        : Math.min(entry.backoff * 2, this.max);
    this.#entries.set(key, { backoff, lastUpdate: this.clock.now() });
  }

  /** Returns whether less than the delay has passed since `eventTime`. Ports IsInBackOffSince. */
  isInBackOffSince(key: string, eventTime: number): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined || this.#hasExpired(eventTime, entry)) return false;
    return this.clock.now() - eventTime < entry.backoff;
  }

  /** Returns whether `eventTime` is less than the delay past the last update. Ports IsInBackOffSinceUpdate. */
  isInBackOffSinceUpdate(key: string, eventTime: number): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined || this.#hasExpired(eventTime, entry)) return false;
    return eventTime - entry.lastUpdate < entry.backoff;
  }

  /** Removes keys that have not been updated for long. Ports GC. */
  gc(): void {
    for (const [key, entry] of this.#entries) {
      if (this.#hasExpired(this.clock.now(), entry)) this.#entries.delete(key);
    }
  }

  #hasExpired(eventTime: number, entry: BackoffEntry): boolean {
    return eventTime - entry.lastUpdate > this.expiresAfter;
  }
}
