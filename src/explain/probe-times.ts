import type { Probe } from '../api/types/probe.js';

/** Seconds, earliest and latest. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** What a probe's settings come to in time. */
export interface ProbeTimes {
  /** From the container's start to the first attempt. */
  readonly firstAttempt: Span;
  /** From the moment at which every attempt fails at once, to the result. */
  readonly failsFast: Span;
  /** The same, when it no longer answers and every attempt runs into its timeout. */
  readonly hangs: Span;
  /** From the moment at which every attempt succeeds, to the result. */
  readonly recovers: Span;
  /** From the container's start until it has failed for good, if no attempt ever succeeds. */
  readonly neverSucceeds: Span;
}

/**
 * Ticks keep their phase whatever happens in between, so the first attempt that sees a change comes up to a period
 * later; the n-th of a row comes n - 1 periods after that, or as soon as the one before has ended.
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
  const firstAttempt = { from: delay, to: delay + period };
  return {
    firstAttempt,
    failsFast: row(failureThreshold, period, 0, period),
    // The attempt under way may have begun a timeout ago.
    hangs: { ...row(failureThreshold, slow, timeout, period), from: (failureThreshold - 1) * slow },
    recovers: row(successThreshold, period, 0, period),
    neverSucceeds: {
      from: firstAttempt.from + (failureThreshold - 1) * period,
      to: firstAttempt.to + (failureThreshold - 1) * slow + timeout,
    },
  };
}

function row(count: number, interval: number, last: number, phase: number): Span {
  const rest = (count - 1) * interval + last;
  return { from: rest, to: rest + phase };
}
