import type { Container, Pod } from '../api/index.js';
import {
  MINIMUM_GRACE_PERIOD,
  setTerminationGracePeriod,
} from '../kubelet/containers/termination-grace-period.js';
import { isRestartableInitContainer } from '../kubelet/restart-policy.js';
import { calculateEffectiveGracePeriod } from '../kubelet/sync/pod-sync-status.js';
import { lastOf, type Moment, type Span } from './probe-times.js';

/**
 * Returns the time from the decision to stop a container to its end. The preStop hook uses up whole seconds of the grace
 * period; at least 2 s remain between TERM and KILL. Follows killContainer (pkg/kubelet/kuberuntime).
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

/** Returns the grace period in seconds of a container that a probe kills. */
export function graceAfter(pod: Pod, container: Container, type: 'startup' | 'liveness'): number {
  const reason = type === 'startup' ? 'StartupProbe' : 'LivenessProbe';
  return setTerminationGracePeriod(pod, container, reason);
}

const DELETED = 'the pod is deleted';

/** Returns when a deleted pod is gone: containers stop at once, sidecars after them, all within one grace period. */
export function deletedMoment(pod: Pod): Moment {
  const grace = calculateEffectiveGracePeriod(0, pod, undefined);
  const { ended, sidecarTerms } = endTimes(pod, grace);
  const order = sidecarTerms.size === 0 ? '' : ' Sidecars get TERM when the containers have ended.';
  return {
    topic: 'gone',
    span: ended,
    since: DELETED,
    reason: `Every container gets ${grace} s from then: preStop, TERM, and KILL at the end, but at least ${MINIMUM_GRACE_PERIOD} s after TERM.${order}`,
    fields: ['spec.terminationGracePeriodSeconds'],
  };
}

/** Returns when a sidecar of a deleted pod gets TERM; undefined for other containers. */
export function sidecarTerm(pod: Pod, container: Container): Moment | undefined {
  const grace = calculateEffectiveGracePeriod(0, pod, undefined);
  const span = endTimes(pod, grace).sidecarTerms.get(container);
  if (span === undefined) return undefined;
  const hook = container.lifecycle?.preStop;
  const preStop = hook === undefined ? '' : ' Its preStop hook runs at once.';
  const done =
    pod.spec.restartPolicy === 'Always'
      ? ''
      : ' The kubelet also stops the sidecars when all containers have ended and none is restarted.';
  return {
    topic: 'TERM',
    span,
    since: DELETED,
    reason: `When the containers${laterSidecars(pod, container)} have ended, or the grace period of ${grace} s is over.${preStop}${done}`,
    fields: [
      'spec.terminationGracePeriodSeconds',
      ...(hook === undefined ? [] : ['lifecycle.preStop']),
    ],
  };
}

interface EndTimes {
  /** When the last container has ended. */
  readonly ended: Span;
  /** When each sidecar gets TERM. */
  readonly sidecarTerms: ReadonlyMap<Container, Span>;
}

/** Returns when the containers of a deleted pod end, and then its sidecars, one by one from the last. Follows newTerminationOrdering (pkg/kubelet/kuberuntime). */
function endTimes({ spec }: Pod, grace: number): EndTimes {
  let ended = lastOf(spec.containers.map((container) => stopTimes(container, grace)));
  const sidecarTerms = new Map<Container, Span>();
  for (const sidecar of (spec.initContainers ?? []).filter(isRestartableInitContainer).reverse()) {
    const term = termTimes(sidecar, grace, ended);
    sidecarTerms.set(sidecar, term);
    ended = lastOf([ended, { from: term.from, to: term.to + MINIMUM_GRACE_PERIOD }]);
  }
  return { ended, sidecarTerms };
}

/** Returns when a sidecar gets TERM: after its own hook, whose whole seconds count. Ports waitForTurn. */
function termTimes({ lifecycle }: Container, grace: number, before: Span): Span {
  const hook = lifecycle?.preStop;
  if (hook === undefined) return { from: before.from, to: Math.min(before.to, grace) };
  if (hook.sleep === undefined) return { from: before.from, to: Math.min(before.to, grace + 1) };
  const sleeps = Math.min(hook.sleep.seconds, grace);
  return {
    from: Math.max(sleeps, before.from),
    to: Math.max(sleeps, Math.min(before.to, grace)),
  };
}

function laterSidecars({ spec }: Pod, container: Container): string {
  const inits = spec.initContainers ?? [];
  const later = inits.slice(inits.indexOf(container) + 1).filter(isRestartableInitContainer);
  if (later.length === 0) return '';
  return ` and the sidecar${later.length === 1 ? '' : 's'} ${later.map(({ name }) => name).join(', ')}`;
}
