import type { ContainerView, CrashLoop } from './container-view.js';

/** Seconds: the first back-off, the longest, and the quiet after which it begins anew. */
export const FIRST_DELAY = 10;
export const LONGEST_DELAY = 300;
const FORGOTTEN_AFTER = 2 * LONGEST_DELAY;

/** The entry after a start that it let pass, counted from the end of the latest run. Ports Backoff.Next. */
export function nextCrashLoop(
  entry: CrashLoop | undefined,
  lastEndedAt: number,
  now: number,
): CrashLoop {
  const begins = entry === undefined || isForgotten(entry, lastEndedAt);
  const delay = begins ? FIRST_DELAY : Math.min(2 * entry.delay, LONGEST_DELAY);
  return { delay, updatedAt: now };
}

/** Seconds that a start would be put off, counted from `lastEndedAt`; 0 when it would not be. */
export function crashDelay(entry: CrashLoop | undefined, lastEndedAt: number): number {
  return entry === undefined || isForgotten(entry, lastEndedAt) ? 0 : entry.delay;
}

/** When the latest run that has ended did so. */
export function lastEnd({ runs }: ContainerView): number | undefined {
  return runs.findLast(({ endedAt }) => endedAt !== undefined)?.endedAt;
}

function isForgotten(entry: CrashLoop, lastEndedAt: number): boolean {
  return lastEndedAt - entry.updatedAt > FORGOTTEN_AFTER;
}
