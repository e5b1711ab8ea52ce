import type { ReportedEvent } from './decode-objects.js';

/** Events of a type that a kubelet sends at once about a pod, and the milliseconds until it sends one more. */
const BURST = 25;
const PER_TOKEN = 300_000;
/** Tokens below which failures may have left no event: events that are gone have taken some. */
const SAFE = 4;

/** Estimates the spam filter of a kubelet's event recorder for one pod. Follows EventSourceObjectSpamFilter (client-go). */
export class EventBudget {
  readonly #tokens = new Map<string, { tokens: number; at: number }>();

  spend({ type }: ReportedEvent, count: number, now: number): void {
    this.#tokens.set(type, { tokens: Math.max(0, this.#left(type, now) - count), at: now });
  }

  /** Reports whether events of the type may have been dropped. */
  mayBeSilent(type: ReportedEvent['type'], now: number): boolean {
    return this.#left(type, now) < SAFE;
  }

  #left(type: string, now: number): number {
    const { tokens, at } = this.#tokens.get(type) ?? { tokens: BURST, at: now };
    return Math.min(BURST, tokens + Math.max(0, now - at) / PER_TOKEN);
  }
}
