import type { Probe } from '../api/index.js';

/** Seconds, earliest and latest. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The kubelet looks at what runs once in so many seconds: it may know of a start or an end so much later. */
export const RELIST = 1;
/** The kubelet keeps a start to the second: a container may be so much younger than it takes it to be. */
const START_PRECISION = 1;
/** Seconds without a sync after which there is one. */
const RESYNC = 60;

/** What a probe's settings come to in time. Attempts before a change took less than a period. */
export interface ProbeTimes {
  /** From the container's start to the first attempt, where nothing else triggers one. */
  readonly firstAttempt: Span;
  /** From the moment at which every attempt fails at once, to the result. */
  readonly failsFast: Span;
  /** The same, when it no longer answers and every attempt runs into its timeout. */
  readonly hangs: Span;
  /** From the moment at which every attempt succeeds at once, to the result. */
  readonly recovers: Span;
  /** From the container's start until it has failed for good, if no attempt ever succeeds. */
  readonly neverSucceeds: Span;
}

/**
 * Ticks keep their phase whatever happens in between, so the first attempt that sees a change comes up to a period
 * later; the n-th of a row comes n - 1 periods after that, or as soon as the one before has ended. A readiness worker
 * that has no success to show is triggered with every sync besides, and begins its period anew.
 */
export function probeTimes(probe: Probe): ProbeTimes {
  const {
    initialDelaySeconds: delay,
    periodSeconds: period,
    timeoutSeconds: timeout,
    failureThreshold,
    successThreshold,
  } = probe;
  const slow = Math.max(period, timeout);
  // The kubelet has to know of the start before it attempts anything.
  const firstAttempt = { from: soonestAttempt(delay), to: Math.max(delay, RELIST) + period };
  return {
    firstAttempt,
    failsFast: row(failureThreshold, period, 0, period),
    // The attempt under way may have begun a timeout ago.
    hangs: { ...row(failureThreshold, slow, timeout, period), from: (failureThreshold - 1) * slow },
    recovers: {
      from: soonestRow(successThreshold, period),
      to: row(successThreshold, period, 0, period).to,
    },
    neverSucceeds: {
      from: firstAttempt.from + (failureThreshold - 1) * period,
      to: firstAttempt.to + (failureThreshold - 1) * slow + timeout,
    },
  };
}

/** The soonest that an initial delay can be over. */
export function soonestAttempt(delay: number): number {
  return Math.max(0, delay - START_PRECISION);
}

function row(count: number, interval: number, last: number, phase: number): Span {
  const rest = (count - 1) * interval + last;
  return { from: rest, to: rest + phase };
}

/** From the time of a result to that of the sync that acts on it: a pod that was just synced waits for the next relist. */
export function syncTimes({ from, to }: Span): Span {
  return { from, to: to + RELIST };
}

/**
 * From the first of so many readiness attempts to the last, when syncs trigger as many of them as they can; `more` are
 * those that come with a start.
 */
export function soonestRow(count: number, period: number, more = 0): number {
  const syncs = 1 + more + Math.floor(((count - 1) * period) / RESYNC);
  return Math.max(0, count - 1 - syncs) * period;
}
