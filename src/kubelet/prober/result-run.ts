import type { Probe } from '../../api/index.js';
import type { ProbeType, Result } from '../../trace/event.js';

/** The result of a new container, before an attempt. Ports newWorker (pkg/kubelet/prober/worker.go). */
export const INITIAL_VALUE: Readonly<Record<ProbeType, Result>> = {
  readiness: 'failure',
  liveness: 'success',
  startup: 'unknown',
};

/** Returns the number of equal results in a row, with this one. */
export function nextResultRun(
  {
    lastResult,
    resultRun,
  }: { readonly lastResult?: Result | undefined; readonly resultRun: number },
  result: Result,
): number {
  return lastResult === result ? resultRun + 1 : 1;
}

/** Returns how often in a row a result has to come before it is set. */
export function thresholdOf(
  spec: Pick<Probe, 'successThreshold' | 'failureThreshold'>,
  result: Result,
): number {
  if (result === 'unknown') return 1;
  return result === 'success' ? spec.successThreshold : spec.failureThreshold;
}
