import type { Clock } from '../../clock/clock.js';
import type { SyncError } from '../sync-result.js';

/** Milliseconds between two syncs of a pod that nothing happens to. */
const RESYNC_INTERVAL = 60_000;
/** Milliseconds after an error that names no time of its own. */
const BACK_OFF_PERIOD = 10_000;
const JITTER_FACTOR = 0.5;

/**
 * Milliseconds until a pod is synced again: a minute after a good sync, at the end of a back-off, or 10 s after
 * another error; by up to half as much later, at random. Ports completeWork (pkg/kubelet/pod_workers.go).
 */
export function requeueDelay(clock: Clock, error: SyncError | undefined): number {
  if (error === undefined) return jitter(clock, RESYNC_INTERVAL);
  if (error.backoffUntil === undefined) return backOffDelay(clock);
  const backoff = Math.max(0, error.backoffUntil - clock.now());
  return jitter(clock, Math.min(backoff, RESYNC_INTERVAL));
}

/** Milliseconds until a pod that has to wait is looked at again. */
export function backOffDelay(clock: Clock): number {
  return jitter(clock, BACK_OFF_PERIOD);
}

/** Ports wait.Jitter (apimachinery/util/wait). */
function jitter(clock: Clock, duration: number): number {
  return duration + clock.random() * JITTER_FACTOR * duration;
}
