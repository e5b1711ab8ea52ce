import type { Container } from '../api/index.js';
import { MINIMUM_GRACE_PERIOD } from '../kubelet/containers/grace-period.js';
import type { Span } from './probe-times.js';

/**
 * From the decision to stop a container to its end: the preStop hook takes its share of the grace period, in whole
 * seconds, and at least 2 s are left between TERM and KILL. Follows killContainer (pkg/kubelet/kuberuntime).
 */
export function stopTimes({ lifecycle }: Container, gracePeriod: number): Span {
  const hook = lifecycle?.preStop;
  const term = (used: number): number =>
    Math.max(gracePeriod - Math.trunc(used), MINIMUM_GRACE_PERIOD);
  if (hook === undefined || gracePeriod <= 0) return { from: 0, to: term(0) };
  if (hook.sleep !== undefined) {
    const sleeps = Math.min(hook.sleep.seconds, gracePeriod);
    return { from: sleeps, to: sleeps + term(sleeps) };
  }
  return { from: 0, to: gracePeriod + MINIMUM_GRACE_PERIOD };
}

/** When KILL comes at the latest, after TERM. */
export function killAfterTerm(gracePeriod: number): number {
  return Math.max(gracePeriod, MINIMUM_GRACE_PERIOD);
}
