import { FIRST_DELAY, LONGEST_DELAY } from '../trace/summary/crash-loop.js';
import { RELIST, type Span } from './probe-times.js';

/** A restart of a container that ends by itself, from its end to its next start. */
export interface BackOffStep {
  /** Which restart it is, from 1. */
  readonly restart: number;
  /** Seconds that the back-off itself takes. */
  readonly delay: number;
  readonly span: Span;
}

/** The kubelet comes back to a pod when its back-off is over, or after so many seconds, whatever is sooner. */
const LONGEST_WAIT = 60;
/** It waits longer by up to this share, at random, and looks what is due once a second. */
const JITTER = 0.5;
const POLL = 1;

/** The restarts of a container that never runs for ten minutes, until their delays no longer grow. */
export function backOffSteps(): readonly BackOffStep[] {
  const delays = [0];
  for (let delay = FIRST_DELAY; delay < LONGEST_DELAY; delay *= 2) delays.push(delay);
  return [...delays, LONGEST_DELAY].map((delay, index) => ({
    restart: index + 1,
    delay,
    span: { from: delay, to: delay === 0 ? RELIST : latestSinceExit(delay) },
  }));
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
