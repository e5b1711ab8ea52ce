import type { Pod } from '../../api/index.js';
import { setTerminationGracePeriod } from '../../kubelet/containers/grace-period.js';
import { containerShouldRestart } from '../../kubelet/restart-policy.js';
import type { ContainerView } from '../summary/container-view.js';
import { crashDelay, lastEnd } from '../summary/crash-loop.js';

/** What follows on a container's end. */
export type Restart =
  /** It stays ended. */
  | { readonly kind: 'none' }
  | { readonly kind: 'atOnce' }
  /** Not before then; `delay` is the whole back-off, in seconds. */
  | { readonly kind: 'after'; readonly at: number; readonly delay: number };

/**
 * After a kill at `t`: the sync that kills also starts, unless the run before ended less than its back-off ago. Then the
 * next sync finds the killed run, and counts from its end.
 */
export function restartAfterKill(pod: Pod, container: ContainerView, t: number): Restart {
  const policy = container.spec.restartPolicy ?? pod.spec.restartPolicy;
  if (policy === 'Never' || isDeleted(pod)) return { kind: 'none' };
  const before =
    container.planned === undefined ? lastEnd(container) : container.planned.lastEndedAt;
  if (before === undefined || before + crashDelay(container.crashLoop, before) <= t) {
    return { kind: 'atOnce' };
  }
  return backedOff(container, t);
}

/** After an end by itself at `t`. */
export function restartAfterExit(
  pod: Pod,
  container: ContainerView,
  exitCode: number,
  t: number,
): Restart {
  if (isDeleted(pod) || !containerShouldRestart(container.spec, pod.spec, exitCode)) {
    return { kind: 'none' };
  }
  return backedOff(container, t);
}

/** Seconds between TERM and KILL when that probe has it killed. */
export function graceOfKill(
  pod: Pod,
  container: ContainerView,
  by: 'startup' | 'liveness',
): number {
  const reason = by === 'startup' ? 'StartupProbe' : 'LivenessProbe';
  return Math.max(2, setTerminationGracePeriod(pod, container.spec, reason));
}

function backedOff(container: ContainerView, ended: number): Restart {
  const delay = crashDelay(container.crashLoop, ended);
  return delay === 0 ? { kind: 'atOnce' } : { kind: 'after', at: ended + delay, delay };
}

function isDeleted({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined;
}
