import type { TraceLine } from '../trace-line.js';
import type { ContainerView } from './container-view.js';
import { recordLatency } from './histogram.js';
import type { AttemptView, InFlight, ProbeView } from './probe-view.js';
import { verdictOfAttempt } from './probe-view.js';

/** Attempts that are kept of one probe, and of all together: 1,000 probes for a day stay below 150 MB of heap. */
const MAX_ATTEMPTS = 1000;
const MAX_ALL_ATTEMPTS = 40_000;
/** Shares of them, the latest, that keep their detail; failures keep it longer. */
const WHOLE_SUCCESSES = 1 / 20;
const WHOLE_FAILURES = 1 / 10;
/** Characters of an older attempt's output that are kept. */
const SHORT_OUTPUT = 120;

type ProbeEvent = Extract<TraceLine, { kind: 'attempt' | 'attemptDone' | 'counted' | 'worker' }>;
type AttemptDone = Extract<TraceLine, { kind: 'attemptDone' }>;

/** Applies an event of one of the container's probes; `probes` is the number of all. */
export function foldProbeEvent(
  container: ContainerView,
  event: ProbeEvent,
  probes: number,
): ContainerView {
  const run = container.runs.at(-1)?.run ?? 0;
  const most = Math.ceil(Math.min(MAX_ATTEMPTS, MAX_ALL_ATTEMPTS / probes));
  return {
    ...container,
    probes: container.probes.map((probe) =>
      probe.type === event.probe ? foldProbe(probe, event, run, most) : probe,
    ),
  };
}

/** Applies a new run: the result is no longer set, and a worker that was on hold counts from 0. */
export function foldNewRun(probe: ProbeView): ProbeView {
  const { set, ...rest } = probe;
  const rested = probe.type === 'startup' || (probe.type === 'liveness' && set === 'failure');
  return set !== undefined && rested ? { ...rest, resultRun: 0 } : rest;
}

function foldProbe(probe: ProbeView, event: ProbeEvent, run: number, most: number): ProbeView {
  switch (event.kind) {
    case 'worker':
      return foldWorker(probe, event);
    case 'attempt': {
      const { t, attempt, trigger } = event;
      const asked = trigger === undefined ? {} : { trigger };
      return { ...probe, inFlight: { attempt, startedAt: t, run, ...asked } };
    }
    case 'attemptDone':
      return foldAttemptDone(probe, event, run, most);
    case 'counted':
      return foldCounted(probe, event);
  }
}

/** Adds what the kubelet counted; an attempt of which it reported more is among them. */
function foldCounted(probe: ProbeView, event: Extract<TraceLine, { kind: 'counted' }>): ProbeView {
  const { successful = 0, failed = 0, unknown = 0 } = probe.counted ?? {};
  const counted = {
    successful: successful + event.successful,
    failed: failed + event.failed,
    unknown: unknown + event.unknown,
  };
  return {
    ...probe,
    counted,
    successes: Math.max(probe.successes, counted.successful),
    failures: Math.max(probe.failures, counted.failed),
    errors: Math.max(probe.errors, counted.unknown),
  };
}

function foldWorker(probe: ProbeView, event: Extract<TraceLine, { kind: 'worker' }>): ProbeView {
  const { until: _, latestTick: __, inFlight, ...rest } = probe;
  const { t, state, nextTick = probe.nextTick, latestTick, until } = event;
  return {
    ...rest,
    state,
    stateSince: t,
    ...(nextTick === undefined ? {} : { nextTick }),
    ...(latestTick === undefined ? {} : { latestTick }),
    ...(until === undefined ? {} : { until }),
    // An attempt in flight when the worker stops has no result.
    ...(inFlight === undefined || state === 'stopped' ? {} : { inFlight }),
  };
}

function foldAttemptDone(
  probe: ProbeView,
  event: AttemptDone,
  run: number,
  most: number,
): ProbeView {
  const { t, lastResult, resultRun, threshold, set, nextTick, latestTick, latency } = event;
  const startedAt = event.at ?? t;
  const { inFlight = { attempt: event.attempt, startedAt, run }, latestTick: _, ...rested } = probe;
  const attempt = endedAttempt(probe, inFlight, event);
  const verdict = verdictOfAttempt(attempt);
  return {
    ...rested,
    nextTick,
    ...(latestTick === undefined ? {} : { latestTick }),
    ...(set === undefined ? {} : { set }),
    lastResult,
    resultRun,
    threshold,
    successes: probe.successes + (verdict === 'success' ? 1 : 0),
    failures: probe.failures + (verdict === 'failure' ? 1 : 0),
    errors: probe.errors + (verdict === 'error' ? 1 : 0),
    latencies:
      verdict === 'error' || event.evidence !== undefined
        ? probe.latencies
        : recordLatency(probe.latencies, latency),
    attempts: appendAttempt(probe.attempts, attempt, most),
  };
}

function endedAttempt(probe: ProbeView, inFlight: InFlight, event: AttemptDone): AttemptView {
  const {
    t,
    kind,
    pod,
    container,
    probe: type,
    containerID,
    nextTick,
    latestTick,
    at = t,
    ...fields
  } = event;
  const last = probe.lastResult === undefined ? {} : { lastResult: probe.lastResult };
  const before = { ...last, resultRun: probe.resultRun };
  return { ...inFlight, ...fields, endedAt: at, before };
}

function appendAttempt(
  attempts: readonly AttemptView[],
  attempt: AttemptView,
  most: number,
): readonly AttemptView[] {
  const kept = attempts.slice(Math.max(0, attempts.length - most + 1));
  kept.push(attempt);
  const behind = (share: number): number => kept.length - 1 - Math.ceil(most * share);
  shorten(kept, behind(WHOLE_SUCCESSES), (old) => verdictOfAttempt(old) === 'success');
  shorten(kept, behind(WHOLE_FAILURES), () => true);
  return kept;
}

function shorten(list: AttemptView[], at: number, when: (old: AttemptView) => boolean): void {
  const old = list[at];
  if (old?.detail === undefined || !when(old)) return;
  const { detail: _, ...rest } = old;
  list[at] = { ...rest, output: rest.output.slice(0, SHORT_OUTPUT), shortened: true };
}
