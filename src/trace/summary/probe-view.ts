import type { Evidence, ProbeType, Result, WorkerState } from '../../kubelet/event.js';
import type { AttemptOutcome } from '../../kubelet/ports.js';
import type { Histogram } from './histogram.js';

/** The state and history of one probe. Times are seconds since the trace began. */
export interface ProbeView {
  readonly type: ProbeType;
  readonly state?: WorkerState;
  /** When the worker reached that state. */
  readonly stateSince?: number;
  /** The worker's next tick as of its last event; idle ticks leave no event. */
  readonly nextTick?: number | undefined;
  /** The latest time of the next tick, where it is not exactly known. */
  readonly latestTick?: number | undefined;
  /** When the initial delay ends, in `initialDelay`. */
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
  /** As a cluster's kubelet counts them. */
  readonly counted?: {
    readonly successful: number;
    readonly failed: number;
    readonly unknown: number;
  };
  /** Of successes and failures. */
  readonly latencies: Histogram;
  /** The latest finished ones, oldest first; older ones without detail. */
  readonly attempts: readonly AttemptView[];
}

export interface InFlight {
  readonly attempt: number;
  readonly startedAt: number;
  readonly run: number;
  readonly trigger?: 'kubelet' | 'user' | undefined;
}

export interface AttemptView extends InFlight, AttemptOutcome {
  readonly endedAt: number;
  /** Basis of an attempt that a cluster's kubelet made. */
  readonly evidence?: Evidence | undefined;
  readonly tries: number;
  /** Milliseconds. */
  readonly latency: number;
  readonly lastResult: Result;
  /** The count after this attempt, and before it. */
  readonly resultRun: number;
  readonly before: { readonly lastResult?: Result | undefined; readonly resultRun: number };
  readonly threshold: number;
  readonly set?: Result | undefined;
  /** The detail and the end of a long output are no longer kept. */
  readonly shortened?: boolean | undefined;
}

/** Returns how an attempt counts: a warning is a success, an errored attempt does not count. */
export function verdictOfAttempt(attempt: AttemptView): 'success' | 'failure' | 'error' {
  if (attempt.error !== undefined) return 'error';
  return attempt.result === 'success' || attempt.result === 'warning' ? 'success' : 'failure';
}
