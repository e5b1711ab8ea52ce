import type { Event } from '../../kubelet/event.js';
import type { ContainerView } from './container-view.js';
import { recordLatency } from './histogram.js';
import type { AttemptView, InFlight, ProbeView } from './probe-view.js';
import { verdictOfAttempt } from './probe-view.js';

/** Attempts of a probe that are kept. */
const MAX_ATTEMPTS = 1000;
/** The latest attempts keep their detail; failures keep it longer. */
const WHOLE_SUCCESSES = 50;
const WHOLE_FAILURES = 100;
/** Characters of an older attempt's output that are kept. */
const SHORT_OUTPUT = 120;

type ProbeEvent = Extract<Event, { kind: 'attempt' | 'attemptDone' | 'worker' }>;
type AttemptDone = Extract<Event, { kind: 'attemptDone' }>;

/** Applies an event of one of the container's probes. */
export function foldProbeEvent(
  container: ContainerView,
  event: ProbeEvent,
  t: number,
): ContainerView {
  const run = container.runs.at(-1)?.run ?? 0;
  return {
    ...container,
    probes: container.probes.map((probe) =>
      probe.type === event.probe ? foldProbe(probe, event, t, run) : probe,
    ),
  };
}

/** Applies a new run: the result is no longer set, and a worker that was on hold counts from 0. */
export function foldNewRun(probe: ProbeView): ProbeView {
  const { set, ...rest } = probe;
  const rested = probe.type === 'startup' || (probe.type === 'liveness' && set === 'failure');
  return set !== undefined && rested ? { ...rest, resultRun: 0 } : rest;
}

function foldProbe(probe: ProbeView, event: ProbeEvent, t: number, run: number): ProbeView {
  switch (event.kind) {
    case 'worker':
      return foldWorker(probe, event, t);
    case 'attempt': {
      const { attempt, trigger } = event;
      const asked = trigger === undefined ? {} : { trigger };
      return { ...probe, inFlight: { attempt, startedAt: t, run, ...asked } };
    }
    case 'attemptDone':
      return foldAttemptDone(probe, event, t, run);
  }
}

function foldWorker(
  probe: ProbeView,
  event: Extract<Event, { kind: 'worker' }>,
  t: number,
): ProbeView {
  const { until: _, inFlight, ...rest } = probe;
  const { state, nextTick = probe.nextTick, until } = event;
  return {
    ...rest,
    state,
    stateSince: t,
    ...(nextTick === undefined ? {} : { nextTick }),
    ...(until === undefined ? {} : { until }),
    // An attempt in flight when the worker stops has no result.
    ...(inFlight === undefined || state === 'stopped' ? {} : { inFlight }),
  };
}

function foldAttemptDone(probe: ProbeView, event: AttemptDone, t: number, run: number): ProbeView {
  const { lastResult, resultRun, threshold, set, nextTick, latency } = event;
  const { inFlight = { attempt: event.attempt, startedAt: t, run }, ...rested } = probe;
  const attempt = endedAttempt(probe, inFlight, event, t);
  const verdict = verdictOfAttempt(attempt);
  return {
    ...rested,
    nextTick,
    ...(set === undefined ? {} : { set }),
    lastResult,
    resultRun,
    threshold,
    successes: probe.successes + (verdict === 'success' ? 1 : 0),
    failures: probe.failures + (verdict === 'failure' ? 1 : 0),
    errors: probe.errors + (verdict === 'error' ? 1 : 0),
    latencies: verdict === 'error' ? probe.latencies : recordLatency(probe.latencies, latency),
    attempts: appendAttempt(probe.attempts, attempt),
  };
}

function endedAttempt(
  probe: ProbeView,
  inFlight: InFlight,
  event: AttemptDone,
  t: number,
): AttemptView {
  const { kind, pod, container, probe: type, containerID, nextTick, ...fields } = event;
  const last = probe.lastResult === undefined ? {} : { lastResult: probe.lastResult };
  const before = { ...last, resultRun: probe.resultRun };
  return { ...inFlight, ...fields, endedAt: t, before };
}

function appendAttempt(
  attempts: readonly AttemptView[],
  attempt: AttemptView,
): readonly AttemptView[] {
  const from = attempts.length < MAX_ATTEMPTS ? 0 : attempts.length - MAX_ATTEMPTS + 1;
  const kept = attempts.slice(from);
  kept.push(attempt);
  shorten(kept, kept.length - 1 - WHOLE_SUCCESSES, (old) => verdictOfAttempt(old) === 'success');
  shorten(kept, kept.length - 1 - WHOLE_FAILURES, () => true);
  return kept;
}

function shorten(list: AttemptView[], at: number, when: (old: AttemptView) => boolean): void {
  const old = list[at];
  if (old?.detail === undefined || !when(old)) return;
  const { detail: _, ...rest } = old;
  list[at] = { ...rest, output: rest.output.slice(0, SHORT_OUTPUT), shortened: true };
}
