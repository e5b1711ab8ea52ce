import type { ContainerView, CrashLoop } from './container-view.js';

/** Seconds: the first back-off, the longest one, and the pause that resets it. */
export const FIRST_DELAY = 10;
export const LONGEST_DELAY = 300;
const FORGOTTEN_AFTER = 2 * LONGEST_DELAY;

/** Returns the entry after a start, where the latest run ended at `lastEndedAt`. Ports Backoff.Next. */
export function nextCrashLoop(
  entry: CrashLoop | undefined,
  lastEndedAt: number,
  now: number,
): CrashLoop {
  const begins = entry === undefined || isForgotten(entry, lastEndedAt);
  const delay = begins ? FIRST_DELAY : Math.min(2 * entry.delay, LONGEST_DELAY);
  return { delay, updatedAt: now };
}

/** Returns the seconds after `lastEndedAt` before which the container is not started. */
export function crashDelay(entry: CrashLoop | undefined, lastEndedAt: number): number {
  return entry === undefined || isForgotten(entry, lastEndedAt) ? 0 : entry.delay;
}

/** Returns the time at which the latest finished run ended. */
export function lastEnd({ runs }: ContainerView): number | undefined {
  return runs.findLast(({ endedAt }) => endedAt !== undefined)?.endedAt;
}

function isForgotten(entry: CrashLoop, lastEndedAt: number): boolean {
  return lastEndedAt - entry.updatedAt > FORGOTTEN_AFTER;
}
