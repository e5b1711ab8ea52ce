import type { ProbeType, Result, WorkerState } from '../../kubelet/event.js';
import type { AttemptDetail, ProbeResult } from '../../kubelet/ports.js';
import type { Histogram } from './histogram.js';

/** What has come of one probe of a container. Times are seconds since the trace began. */
export interface ProbeView {
  readonly type: ProbeType;
  readonly state?: WorkerState;
  /** When the worker came to that state. */
  readonly stateSince?: number;
  /** When the worker was said to look again; it may have looked since, and found nothing to do. */
  readonly nextTick?: number;
  /** In `initialDelay`: before this no look comes to an attempt. */
  readonly until?: number;
  /** The attempt under way. */
  readonly inFlight?: InFlight;
  /** The result that stands for the current run, as far as an attempt has set one. */
  readonly set?: Result;
  readonly lastResult?: Result;
  /** How often in a row the last result came, as the worker counts it. */
  readonly resultRun: number;
  /** What the last result's run is held against. */
  readonly threshold: number;
  readonly successes: number;
  readonly failures: number;
  /** Attempts whose result was thrown away. */
  readonly errors: number;
  /** Of the attempts that came to a result. */
  readonly latencies: Histogram;
  /** The latest ones that ended, oldest first; the older ones without detail. */
  readonly attempts: readonly AttemptView[];
}

export interface InFlight {
  readonly attempt: number;
  readonly startedAt: number;
  readonly run: number;
  readonly trigger?: 'kubelet' | 'user';
}

export interface AttemptView extends InFlight {
  readonly endedAt: number;
  readonly result: ProbeResult;
  readonly output: string;
  readonly error?: string;
  readonly tries: number;
  /** Milliseconds. */
  readonly latency: number;
  readonly lastResult: Result;
  /** The run after this attempt, and before it. */
  readonly resultRun: number;
  readonly before: { readonly lastResult?: Result; readonly resultRun: number };
  readonly threshold: number;
  readonly set?: Result;
  readonly detail?: AttemptDetail;
  /** It is an older one: its detail, and the end of a long output, are no longer kept. */
  readonly shortened?: boolean;
}

/** What an attempt came to, as it counts: a warning is a success, an errored one nothing. */
export function verdictOfAttempt(attempt: AttemptView): 'success' | 'failure' | 'error' {
  if (attempt.error !== undefined) return 'error';
  return attempt.result === 'success' || attempt.result === 'warning' ? 'success' : 'failure';
}
