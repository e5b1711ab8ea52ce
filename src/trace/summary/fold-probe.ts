import type { Event } from '../../kubelet/event.js';
import { appendBounded, type AttemptView, type ContainerView, type ProbeView } from './summary.js';

/** Attempts of a probe that are remembered. */
const MAX_ATTEMPTS = 1000;

type ProbeEvent = Extract<Event, { kind: 'attempt' | 'attemptDone' | 'worker' }>;

/** Something that happened to one of a container's probes. */
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

function foldProbe(probe: ProbeView, event: ProbeEvent, t: number, run: number): ProbeView {
  switch (event.kind) {
    case 'worker': {
      const { state, nextTick } = event;
      return { ...probe, state, ...(nextTick === undefined ? {} : { nextTick }) };
    }
    case 'attempt': {
      const begun: AttemptView = {
        attempt: event.attempt,
        startedAt: t,
        endedAt: t,
        run,
        result: 'unknown',
        output: '',
        tries: 0,
        latency: 0,
        lastResult: probe.lastResult ?? 'unknown',
        resultRun: probe.resultRun,
        threshold: probe.threshold,
        ...(event.trigger === undefined ? {} : { trigger: event.trigger }),
      };
      return {
        ...probe,
        attemptingSince: t,
        attempts: appendBounded(probe.attempts, begun, MAX_ATTEMPTS),
      };
    }
    case 'attemptDone':
      return foldAttemptDone(probe, event, t);
  }
}

function foldAttemptDone(
  probe: ProbeView,
  event: Extract<Event, { kind: 'attemptDone' }>,
  t: number,
): ProbeView {
  const { result, error, lastResult, resultRun, threshold, set, nextTick } = event;
  const { attemptingSince, ...rested } = probe;
  const succeeded = error === undefined && (result === 'success' || result === 'warning');
  const failed = error === undefined && !succeeded;
  return {
    ...rested,
    nextTick,
    ...(set === undefined ? {} : { set }),
    lastResult,
    resultRun,
    threshold,
    successes: probe.successes + (succeeded ? 1 : 0),
    failures: probe.failures + (failed ? 1 : 0),
    errors: probe.errors + (error === undefined ? 0 : 1),
    attempts: probe.attempts.map((attempt) =>
      attempt.attempt === event.attempt ? ended(attempt, event, t) : attempt,
    ),
  };
}

function ended(
  attempt: AttemptView,
  event: Extract<Event, { kind: 'attemptDone' }>,
  t: number,
): AttemptView {
  const { result, output, error, tries, latency, lastResult, resultRun, threshold } = event;
  const { set, detail } = event;
  return {
    ...attempt,
    endedAt: t,
    result,
    output,
    tries,
    latency,
    lastResult,
    resultRun,
    threshold,
    ...(error === undefined ? {} : { error }),
    ...(set === undefined ? {} : { set }),
    ...(detail === undefined ? {} : { detail }),
  };
}
