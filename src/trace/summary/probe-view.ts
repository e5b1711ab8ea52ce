import type { AttemptOutcome } from '../../kubelet/ports.js';
import type { EventOf, Evidence, ProbeType, Result, Trial, WorkerState } from '../event.js';

/** Counts latencies in milliseconds in buckets that grow by a tenth; the extremes are exact. */
export interface Histogram {
  /** Counts by bucket number; an empty bucket is 0 or absent. */
  readonly counts: readonly number[];
  readonly total: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
}

export const EMPTY_HISTOGRAM: Histogram = { counts: [], total: 0, sum: 0, min: 0, max: 0 };

/** The upper bound of bucket 0, and the growth from one bucket to the next. */
const FIRST_BOUND = 0.1;
const GROWTH = 1.1;
/** About three hours; longer latencies are in it too. */
const LAST_BUCKET = 196;

export function bucketBound(bucket: number): number {
  return FIRST_BOUND * GROWTH ** bucket;
}

function bucketOf(milliseconds: number): number {
  if (milliseconds <= FIRST_BOUND) return 0;
  const bucket = Math.ceil(Math.log(milliseconds / FIRST_BOUND) / Math.log(GROWTH));
  return Math.min(bucket, LAST_BUCKET);
}

export function recordLatency(histogram: Histogram, milliseconds: number): Histogram {
  const { total, sum, min, max } = histogram;
  const bucket = bucketOf(milliseconds);
  const counts = histogram.counts.slice();
  while (counts.length <= bucket) counts.push(0);
  counts[bucket] = (counts[bucket] ?? 0) + 1;
  return {
    counts,
    total: total + 1,
    sum: sum + milliseconds,
    min: total === 0 ? milliseconds : Math.min(min, milliseconds),
    max: Math.max(max, milliseconds),
  };
}

/** Returns a percentile, exact to a tenth; undefined for an empty histogram. */
export function percentile(histogram: Histogram, percent: number): number | undefined {
  const { counts, total, min, max } = histogram;
  if (total === 0) return undefined;
  let left = Math.max(1, Math.ceil((percent / 100) * total));
  for (const [bucket, count] of counts.entries()) {
    left -= count;
    if (left <= 0) return Math.min(max, Math.max(min, bucketBound(bucket)));
  }
  return max;
}

/** The state and history of one probe. Times are seconds since the trace began. */
export interface ProbeView {
  readonly type: ProbeType;
  readonly state?: WorkerState;
  readonly stateSince?: number;
  /** The worker's next tick as of its last event; idle ticks leave no event. */
  readonly nextTick?: number | undefined;
  /** The latest time of the next tick, where it is not known exactly. */
  readonly latestTick?: number | undefined;
  /** End of the initial delay, in state `initialDelay`. */
  readonly until?: number | undefined;
  readonly inFlight?: InFlight | undefined;
  /** The result that the current run's attempts have set. */
  readonly set?: Result | undefined;
  readonly lastResult?: Result | undefined;
  /** Number of times in a row that the last result came, as the worker counts it. */
  readonly resultRun: number;
  /** The threshold for the last result. */
  readonly threshold: number;
  readonly successes: number;
  readonly failures: number;
  /** Attempts that the kubelet discarded. */
  readonly errors: number;
  /** Counts of a cluster's kubelet. */
  readonly counted?: Pick<EventOf<'counted'>, 'successful' | 'failed' | 'unknown'>;
  /** Latencies of successes and failures. */
  readonly latencies: Histogram;
  /** The latest finished attempts, oldest first; older ones lack details. */
  readonly attempts: readonly AttemptView[];
  /** Attempts of the current run with another value of a field. */
  readonly trials: readonly TrialView[];
}

export interface TrialView extends Trial {
  readonly run: number;
}

export interface InFlight {
  readonly attempt: number;
  readonly startedAt: number;
  readonly run: number;
  readonly trigger?: 'kubelet' | 'user' | undefined;
}

export interface AttemptView extends InFlight, AttemptOutcome {
  readonly endedAt: number;
  /** Basis of a cluster's attempt. */
  readonly evidence?: Evidence | undefined;
  readonly tries: number;
  /** Milliseconds, without those by which kprobe itself was late. */
  readonly latency: number;
  readonly late?: number | undefined;
  readonly lastResult: Result;
  /** The count after this attempt, and before it. */
  readonly resultRun: number;
  readonly before: { readonly lastResult?: Result | undefined; readonly resultRun: number };
  readonly threshold: number;
  readonly set?: Result | undefined;
  /** True where the detail and the end of a long output are no longer kept. */
  readonly shortened?: boolean | undefined;
}

/** Returns how an attempt counts: a warning is a success, an errored attempt does not count. */
export function verdictOfAttempt(attempt: AttemptView): 'success' | 'failure' | 'error' {
  if (attempt.error !== undefined) return 'error';
  return attempt.result === 'success' || attempt.result === 'warning' ? 'success' : 'failure';
}
