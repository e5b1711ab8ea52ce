import type { Container, Pod } from '../api/index.js';
import { DEFAULT_BEHAVIOR, type ReleaseBehavior } from '../kubelet/release.js';
import { isRestartableInitContainer } from '../kubelet/restart-policy.js';
import { backOffDelay } from '../trace/summary/container-view.js';
import { RELIST, type Span } from './probe-times.js';

/** `byRule` means that only restartPolicyRules can restart the container. */
type RestartsWhen = 'always' | 'onFailure' | 'byRule' | 'never';

/** Applies the container's policy or the pod's; an init container with exit code 0 is done. */
export function restartsWhen({ spec }: Pod, container: Container): RestartsWhen {
  const policy = container.restartPolicy ?? spec.restartPolicy;
  if (policy === 'Never') {
    return (container.restartPolicyRules ?? []).length > 0 ? 'byRule' : 'never';
  }
  const isInit =
    !isRestartableInitContainer(container) && spec.initContainers?.includes(container) === true;
  return policy === 'OnFailure' || isInit ? 'onFailure' : 'always';
}

export function restartText(policy: RestartsWhen): string {
  const how = 'at once the first time, then after a back-off.';
  switch (policy) {
    case 'always':
      return `It is restarted ${how}`;
    case 'onFailure':
      return `Unless its exit code is 0, it is restarted ${how}`;
    case 'byRule':
      return 'It is restarted only when one of its restartPolicyRules matches the exit code.';
    case 'never':
      return 'It is not restarted.';
  }
}

/** The delay of a start, counted from the end of the previous run. */
interface Delay {
  /** The back-off alone, in seconds. */
  readonly delay: number;
  readonly span: Span;
}

/** A restart of a container whose runs last less than ten minutes. */
export interface BackOffStep {
  /** Number of the restart, from 1. */
  readonly restart: number;
  /** The delay when each run exits without a kill. */
  readonly exited: Delay;
  /** The delay when a probe kills each run; none when the previous end is longer ago. */
  readonly killed: Delay;
  /** Span until the restart of a container that never answers. */
  readonly neverAnswers?: Span;
}

/** Seconds after which the kubelet syncs a pod again, even if its back-off is longer. */
const MAX_WAIT = 60;
/** Seconds between the syncs of a pod in CrashLoopBackOff where they do not follow the back-off. */
const BACK_OFF_PERIOD = 10;
/** Random share by which the wait is longer, and seconds between the kubelet's checks for due pods. */
const JITTER = 0.5;
const POLL = 1;

/** The first two kills have no back-off entry yet. */
const NO_DELAY: Delay = { delay: 0, span: { from: 0, to: 0 } };

/** Returns the first restarts, until the delays no longer grow; `life` is the length of a run that never answers. */
export function backOffSteps(
  life?: Span,
  behavior = DEFAULT_BEHAVIOR,
  count = 3 + delaysOf(behavior).length,
): readonly BackOffStep[] {
  const delayBy = (nth: number): Delay => {
    const delay = backOffDelay(behavior.crashLoopBackOff, nth - 1);
    return { delay, span: backOffSpan(delay, behavior) };
  };
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const killed = numbers.map((restart) => (restart <= 2 ? NO_DELAY : delayBy(restart - 2)));
  const never = life === undefined ? [] : neverAnswered(killed, life);
  return numbers.map((restart, index) => ({
    restart,
    exited: restart === 1 ? { delay: 0, span: { from: 0, to: RELIST } } : delayBy(restart - 1),
    killed: killed[index] ?? NO_DELAY,
    ...(never[index] !== undefined && { neverAnswers: never[index] }),
  }));
}

function delaysOf({ crashLoopBackOff: limits }: ReleaseBehavior): readonly number[] {
  const doublings = Math.ceil(Math.log2(limits.max / limits.initial));
  return Array.from({ length: doublings + 1 }, (_, nth) => backOffDelay(limits, nth));
}

/** Returns `a back-off of 10 s, 20 s, 40 s up to 300 s`. */
export function backOffText(behavior: ReleaseBehavior = DEFAULT_BEHAVIOR): string {
  const delays = delaysOf(behavior);
  const shown = delays.length > 4 ? delays.slice(0, 3) : delays.slice(0, -1);
  const first = shown.map((delay) => `${delay} s`).join(', ');
  return `a back-off of ${first}${first === '' ? '' : ' up to '}${delays.at(-1)} s`;
}

/** Returns the earliest and latest start after a run's end that a back-off of `delay` seconds allows. */
export function backOffSpan(
  delay: number,
  { requeuesAtBackOffEnd }: ReleaseBehavior = DEFAULT_BEHAVIOR,
): Span {
  if (!requeuesAtBackOffEnd) {
    return { from: delay, to: delay + BACK_OFF_PERIOD * (1 + JITTER) + POLL };
  }
  // The back-off counts from the exit, but the kubelet's wait from when it sees the exit.
  return { from: delay, to: Math.max(latest(delay), RELIST + latest(delay - RELIST)) };
}

/** A kill delays the start only where the end of the previous run is more recent than the back-off. */
function neverAnswered(steps: readonly Delay[], life: Span): Span[] {
  let waited: Span = NO_DELAY.span;
  return steps.map(({ delay, span }) => {
    const since = { from: waited.from + life.from, to: waited.to + life.to };
    waited = {
      from: since.to >= delay ? 0 : span.from,
      to: since.from < delay ? span.to : 0,
    };
    return waited;
  });
}

/** Returns the latest start when the kubelet begins to wait now for a back-off of whole seconds. */
function latest(delay: number): number {
  if (delay <= 0) return 0;
  if (delay <= MAX_WAIT) return delay * (1 + JITTER) + POLL;
  // Waits before a longer back-off's end add up to all but the last MAX_WAIT seconds of it.
  if (delay >= 3 * MAX_WAIT) return delay + MAX_WAIT * JITTER + POLL;
  let worst = 0;
  // A sync before the end of the back-off waits again.
  for (let waited = MAX_WAIT; waited <= MAX_WAIT * (1 + JITTER) + POLL; waited++) {
    worst = Math.max(worst, waited + latest(delay - waited));
  }
  return worst;
}
