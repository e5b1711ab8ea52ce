import type { Container, Probe } from '../api/index.js';
import {
  probeTimes,
  RELIST,
  soonestAttempt,
  soonestRow,
  type Span,
  syncTimes,
} from './probe-times.js';

/** When a container's first run is found to have started, if it answers all along: seconds from its start. */
export function startedTimes({ startupProbe }: Container): Span {
  if (startupProbe === undefined) return { from: 0, to: RELIST };
  const { firstAttempt } = probeTimes(startupProbe);
  return { from: firstAttempt.from, to: firstAttempt.to + startupProbe.timeoutSeconds };
}

/** When it is found to be ready. */
export function readyTimes(container: Container): Span {
  const { startupProbe, readinessProbe } = container;
  const started = startedTimes(container);
  // That it has started is said at once; that it is ready with the sync that follows.
  if (readinessProbe === undefined)
    return startupProbe === undefined ? started : syncTimes(started);
  const first = firstReadiness(readinessProbe, startupProbe === undefined ? undefined : started);
  const {
    periodSeconds: period,
    timeoutSeconds: timeout,
    successThreshold: count,
  } = readinessProbe;
  return {
    from: first.from + soonestRow(count, period, START_SYNCS),
    to: first.to + (count - 1) * Math.max(period, timeout) + timeout,
  };
}

/** Syncs of a pod that follow from the start of one of its containers, beside the one that sees it. */
const START_SYNCS = 2;

/** When readiness is attempted for the first time: a start that is known of triggers an attempt. */
export function firstReadiness(
  { initialDelaySeconds: delay, periodSeconds: period }: Probe,
  started: Span | undefined,
): Span {
  const known = started === undefined ? { from: 0, to: RELIST } : syncTimes(started);
  if (delay === 0) return known;
  return {
    from: Math.max(known.from, soonestAttempt(delay)),
    to: Math.max(known.to, delay + period),
  };
}
