import { nextResultRun } from '../../kubelet/prober/result-run.js';
import type { Result } from '../event.js';

/** Results in a row after which a result is set. */
export interface Thresholds {
  readonly success: number;
  readonly failure: number;
}

export interface Tally {
  readonly successes: number;
  readonly failures: number;
  /** Attempts without a result; they are discarded. */
  readonly errors: number;
  /** The last result, and the number of times in a row. */
  readonly last?: Result;
  readonly run: number;
  /** The result that a worker would have set. */
  readonly set?: Result;
  /** True once a failure was set. */
  readonly failed: boolean;
  /** Milliseconds; undefined before the first attempt. */
  readonly latency?: { readonly min: number; readonly max: number; readonly sum: number };
}

export const NO_ATTEMPT: Tally = {
  successes: 0,
  failures: 0,
  errors: 0,
  run: 0,
  failed: false,
};

/** Counts one more attempt. Ports the counting of doProbe (pkg/kubelet/prober/worker.go). */
export function count(
  tally: Tally,
  result: Result | 'error',
  took: number,
  thresholds: Thresholds,
): Tally {
  const { min, max, sum } = tally.latency ?? { min: took, max: took, sum: 0 };
  const latency = { min: Math.min(min, took), max: Math.max(max, took), sum: sum + took };
  if (result === 'error') return { ...tally, latency, errors: tally.errors + 1 };
  const success = result === 'success';
  const run = nextResultRun({ lastResult: tally.last, resultRun: tally.run }, result);
  const counted = {
    ...tally,
    latency,
    run,
    last: result,
    successes: tally.successes + (success ? 1 : 0),
    failures: tally.failures + (success ? 0 : 1),
  };
  if (run < (success ? thresholds.success : thresholds.failure)) return counted;
  return { ...counted, set: result, failed: tally.failed || !success };
}
