import type { Container, Pod } from '../api/index.js';
import { isRestartableInitContainer } from '../kubelet/restart-policy.js';
import { FIRST_DELAY, LONGEST_DELAY } from '../trace/summary/crash-loop.js';
import { RELIST, type Span } from './probe-times.js';

/** Whether a container that exits is started again; `byRule` where only its own restart rules can say so. */
export type RunsAgain = 'always' | 'onFailure' | 'byRule' | 'never';

/** By its own policy, or the pod's; an init container has done its part with exit code 0. */
export function runsAgain({ spec }: Pod, container: Container): RunsAgain {
  const policy = container.restartPolicy ?? spec.restartPolicy;
  if (policy === 'Never') {
    return (container.restartPolicyRules ?? []).length > 0 ? 'byRule' : 'never';
  }
  const isInit =
    !isRestartableInitContainer(container) && spec.initContainers?.includes(container) === true;
  return policy === 'OnFailure' || isInit ? 'onFailure' : 'always';
}

/** What becomes of a container that has exited. */
export function againText(again: RunsAgain): string {
  const how = 'at once the first time, then after a back-off.';
  switch (again) {
    case 'always':
      return `It is started again ${how}`;
    case 'onFailure':
      return `Unless its exit code is 0, it is started again ${how}`;
    case 'byRule':
      return 'It is started again only where one of its restartPolicyRules matches its exit code.';
    case 'never':
      return 'It is not started again.';
  }
}

/** The policy that says so: the container's own, or the pod's. */
export function policyField(container: Container): string {
  return container.restartPolicy === undefined ? 'spec.restartPolicy' : 'restartPolicy';
}

/** How long a start is put off, counted from the end of the run before. */
export interface PutOff {
  /** Seconds that the back-off itself takes. */
  readonly delay: number;
  readonly span: Span;
}

/** The n-th restart of a container that never runs for ten minutes. */
export interface BackOffStep {
  /** Which restart it is, from 1. */
  readonly restart: number;
  /** Where each of its runs ended by itself. */
  readonly exited: PutOff;
  /** Where a probe had each of them killed; at once, when the end before was no less than the delay ago. */
  readonly killed: PutOff;
  /** The same, if it never answers. */
  readonly neverAnswers?: Span;
}

/** The kubelet comes back to a pod when its back-off is over, or after so many seconds, whatever is sooner. */
const LONGEST_WAIT = 60;
/** It waits longer by up to this share, at random, and looks what is due once a second. */
const JITTER = 0.5;
const POLL = 1;

/** A kill is followed by a start at once: the first has no end to count from, the second begins the back-off. */
const AT_ONCE: PutOff = { delay: 0, span: { from: 0, to: 0 } };

/** So many restarts show all that there is: the delays grow no more, and a kill has come after the longest wait. */
const SHOWN = 9;

/** The first restarts; `life` is how long a run takes that never answers, until its end. */
export function backOffSteps(life?: Span, count = SHOWN): readonly BackOffStep[] {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const killed = numbers.map((restart) => (restart <= 2 ? AT_ONCE : putOff(restart - 2)));
  const never = life === undefined ? [] : neverAnswered(killed, life);
  return numbers.map((restart, index) => ({
    restart,
    exited: restart === 1 ? { delay: 0, span: { from: 0, to: RELIST } } : putOff(restart - 1),
    killed: killed[index] ?? AT_ONCE,
    ...(never[index] === undefined ? {} : { neverAnswers: never[index] }),
  }));
}

/** By the n-th back-off. */
function putOff(nth: number): PutOff {
  const delay = Math.min(FIRST_DELAY * 2 ** (nth - 1), LONGEST_DELAY);
  return { delay, span: { from: delay, to: latestSinceExit(delay) } };
}

/** A kill finds the end of the run before it: the start is put off only while that is less than the delay ago. */
function neverAnswered(steps: readonly PutOff[], life: Span): Span[] {
  let waited: Span = AT_ONCE.span;
  return steps.map(({ delay, span }) => {
    const since = { from: waited.from + life.from, to: waited.to + life.to };
    waited = {
      from: since.to >= delay ? 0 : span.from,
      to: since.from < delay ? span.to : 0,
    };
    return waited;
  });
}

/** The back-off begins with the exit, and is waited for once the kubelet has seen that. */
function latestSinceExit(delay: number): number {
  return Math.max(latest(delay), RELIST + latest(delay - RELIST));
}

/** The latest start of a container whose back-off of whole seconds begins to be waited for now. */
function latest(delay: number): number {
  if (delay <= LONGEST_WAIT) return delay * (1 + JITTER) + POLL;
  let worst = 0;
  // It comes back before the back-off is over, and waits again.
  for (let waited = LONGEST_WAIT; waited <= LONGEST_WAIT * (1 + JITTER) + POLL; waited++) {
    const left = delay - waited;
    worst = Math.max(worst, waited + (left <= 0 ? 0 : latestOf(left)));
  }
  return worst;
}

const known = new Map<number, number>();

function latestOf(delay: number): number {
  const before = known.get(delay);
  if (before !== undefined) return before;
  const found = latest(delay);
  known.set(delay, found);
  return found;
}
