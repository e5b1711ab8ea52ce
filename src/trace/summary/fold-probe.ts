import type { LineOf, TraceLine } from '../trace-line.js';
import type { ContainerView } from './container-view.js';
import {
  type AttemptView,
  type InFlight,
  type ProbeView,
  recordLatency,
  verdictOfAttempt,
} from './probe-view.js';
import { appendBounded } from './summary.js';

/** Attempts kept of one probe, and of all probes: 1,000 probes for a day stay below 150 MB of heap. */
const MAX_ATTEMPTS = 1000;
const MAX_ALL_ATTEMPTS = 40_000;
/** Shares of the kept attempts, counted from the latest, that keep their detail. */
const WHOLE_SUCCESSES = 1 / 20;
const WHOLE_FAILURES = 1 / 10;
/** Characters of an older attempt's output that are kept. */
const SHORT_OUTPUT = 120;
/** Trials of one probe that are kept: those of the last two runs. */
const MAX_TRIALS = 12;

type ProbeEvent = Extract<
  TraceLine,
  { kind: 'attempt' | 'attemptDone' | 'counted' | 'worker' | 'trial' }
>;
type AttemptDone = LineOf<'attemptDone'>;

/** Applies an event of a probe; `probes` is the number of all probes. */
export function foldProbeEvent(
  container: ContainerView,
  event: ProbeEvent,
  probes: number,
): ContainerView {
  const run = container.runs.at(-1)?.run ?? 0;
  const limit = Math.ceil(Math.min(MAX_ATTEMPTS, MAX_ALL_ATTEMPTS / probes));
  return {
    ...container,
    probes: container.probes.map((probe) =>
      probe.type === event.probe ? foldProbe(probe, event, run, limit) : probe,
    ),
  };
}

/** Applies a new run: no result is set, and a worker on hold counts from 0. */
export function foldNewRun(probe: ProbeView): ProbeView {
  const { type, set } = probe;
  const wasOnHold =
    set !== undefined && (type === 'startup' || (type === 'liveness' && set === 'failure'));
  return { ...probe, set: undefined, resultRun: wasOnHold ? 0 : probe.resultRun };
}

function foldProbe(probe: ProbeView, event: ProbeEvent, run: number, limit: number): ProbeView {
  switch (event.kind) {
    case 'worker':
      return foldWorker(probe, event);
    case 'attempt': {
      const { t, attempt, trigger } = event;
      return { ...probe, inFlight: { attempt, startedAt: t, run, trigger } };
    }
    case 'attemptDone':
      return foldAttemptDone(probe, event, run, limit);
    case 'counted':
      return foldCounted(probe, event);
    case 'trial': {
      const { field, to, result, word, latency } = event;
      const trial = { run, field, to, result, word, latency };
      return { ...probe, trials: appendBounded(probe.trials, trial, MAX_TRIALS) };
    }
  }
}

/** Adds the kubelet's counts, which include reported attempts. */
function foldCounted(probe: ProbeView, event: LineOf<'counted'>): ProbeView {
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

function foldWorker(probe: ProbeView, event: LineOf<'worker'>): ProbeView {
  const { t, state, nextTick = probe.nextTick, latestTick, until } = event;
  // The attempt in flight of a stopped worker has no result.
  const inFlight = state === 'stopped' ? undefined : probe.inFlight;
  return { ...probe, state, stateSince: t, nextTick, latestTick, until, inFlight };
}

function foldAttemptDone(
  probe: ProbeView,
  event: AttemptDone,
  run: number,
  limit: number,
): ProbeView {
  const { lastResult, resultRun, threshold, set, nextTick, latestTick } = event;
  const { attempt: number, t, at: startedAt = t } = event;
  const inFlight = probe.inFlight ?? { attempt: number, startedAt, run };
  const attempt = endedAttempt(probe, inFlight, event);
  const verdict = verdictOfAttempt(attempt);
  // Of many failures that a cluster's kubelet reports together, only the latest are attempts of the trace.
  const counted = probe.lastResult === lastResult ? probe.resultRun : 0;
  const more = event.evidence === undefined ? 1 : Math.max(1, resultRun - counted);
  return {
    ...probe,
    inFlight: undefined,
    nextTick,
    latestTick,
    set: set ?? probe.set,
    lastResult,
    resultRun,
    threshold,
    successes: probe.successes + (verdict === 'success' ? 1 : 0),
    failures: probe.failures + (verdict === 'failure' ? more : 0),
    errors: probe.errors + (verdict === 'error' ? 1 : 0),
    latencies:
      verdict === 'error' || event.evidence !== undefined
        ? probe.latencies
        : recordLatency(probe.latencies, attempt.latency),
    attempts: appendAttempt(probe.attempts, attempt, limit),
  };
}

/** Milliseconds that an answer took, without those by which kprobe was late; a timeout always has its whole length. */
export function answerTime({ latency, late = 0, reason }: AttemptDone): number {
  return reason === 'timeout' ? latency : Math.max(0, latency - late);
}

/** Names every field: rest and spread would give each object a hidden class, 300 bytes per attempt. */
function endedAttempt(probe: ProbeView, inFlight: InFlight, event: AttemptDone): AttemptView {
  return {
    attempt: inFlight.attempt,
    startedAt: inFlight.startedAt,
    run: inFlight.run,
    trigger: inFlight.trigger,
    endedAt: event.at ?? event.t,
    evidence: event.evidence,
    tries: event.tries,
    latency: answerTime(event),
    late: event.late,
    result: event.result,
    output: event.output,
    error: event.error,
    statusCode: event.statusCode,
    exitCode: event.exitCode,
    reason: event.reason,
    detail: event.detail,
    lastResult: event.lastResult,
    resultRun: event.resultRun,
    before: { lastResult: probe.lastResult, resultRun: probe.resultRun },
    threshold: event.threshold,
    set: event.set,
    shortened: undefined,
  };
}

function appendAttempt(
  attempts: readonly AttemptView[],
  attempt: AttemptView,
  limit: number,
): readonly AttemptView[] {
  const kept = attempts.slice(Math.max(0, attempts.length - limit + 1));
  kept.push(attempt);
  const behind = (share: number): number => kept.length - 1 - Math.ceil(limit * share);
  dropDetail(kept, behind(WHOLE_SUCCESSES), (old) => verdictOfAttempt(old) === 'success');
  dropDetail(kept, behind(WHOLE_FAILURES), () => true);
  return kept;
}

function dropDetail(list: AttemptView[], at: number, when: (old: AttemptView) => boolean): void {
  const old = list[at];
  if (old?.detail === undefined || !when(old)) return;
  const output = old.output.slice(0, SHORT_OUTPUT);
  list[at] = { ...old, detail: undefined, output, shortened: true };
}
