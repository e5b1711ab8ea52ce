import { probeOf } from '../../kubelet/prober/probe-of.js';
import { type TrialView, verdictOfAttempt } from '../../trace/summary/probe-view.js';
import {
  type AttemptContext,
  found,
  handlerChange,
  isEarlierSuccess,
  isQuickAnswer,
  isYoung,
  listeningIn,
  passedBefore,
  passedTrials,
  type Rule,
  startupChange,
  successesBefore,
  trialOf,
} from '../attempt-context.js';
import { advise } from '../change.js';
import type { Finding } from '../fault.js';
import { wasAccepted } from '../kubelet-message.js';
import { isQuiet } from './connection-rules.js';

/** Number of the latest answers, which show how quick the server is now. */
const LATEST = 3;
/** Timeouts in a row after which more are expected. */
const ENOUGH = 3;
/** Share of the timeout from which on an answer is near it. */
const NEAR = 0.5;

/** Headers by which a client knows where an answer ends. */
const ENDS = /^(?:content-length|transfer-encoding):/im;

export const timedOut: Rule = (context) => {
  const { spec, attempt, field } = context;
  if (attempt.reason !== 'timeout' || spec.exec !== undefined) return undefined;
  const { timeoutSeconds: timeout } = spec;
  const began = attempt.detail?.timings.firstByte;
  const isStream =
    /^content-type: *(?:text\/event-stream|multipart\/x-mixed-replace|application\/x-ndjson)/im.test(
      context.response,
    );
  if (began !== undefined && (isStream || began < NEAR * 1000 * timeout)) {
    const hasHead = spec.httpGet !== undefined && context.response !== '';
    const isOpen = !isStream && hasHead && !ENDS.test(context.response);
    const changes = advise(isOpen ? { do: 'endAnswer' } : { do: 'shortAnswer', field });
    const fault = {
      kind: 'unfinishedAnswer',
      timeout,
      isStream,
      ...(isOpen && { isOpen }),
    } as const;
    return found(fault, changes, { evidence: [{ kind: 'answer', began }] });
  }
  return stalled(context) ?? slowAnswer(context) ?? noAnswer(context);
};

function stalled(context: AttemptContext): Finding | undefined {
  const { spec, attempt, field } = context;
  const { timeoutSeconds: timeout } = spec;
  const before = successesBefore(context);
  const state = listeningIn(context)?.state;
  // The first answers of a runtime that compiles as it goes are slow.
  const latest = passedBefore(context)
    .slice(-LATEST)
    .map(({ latency }) => latency);
  const slow = latest.length > 0 ? Math.max(...latest) : slowestAnswer(context, attempt.run);
  const isQuick = slow > 0 && isQuickAnswer(slow, spec);
  const is = state === 'busy' ? undefined : state;
  if (state === undefined && slowTrial(context) !== undefined) return undefined;
  if (!isQuick && is === undefined) return undefined;
  // A few slow answers among quick ones are no sign that a server hangs, unless it took much longer to try.
  const { resultRun = 1 } = context.probe.attempts.findLast(({ run }) => run === attempt.run) ?? {};
  const hangs = trialOf(context, `${field}.timeoutSeconds`)?.result === 'failure';
  const isLone = state === undefined && resultRun < ENOUGH && !hangs;
  const lone = isLone ? { isLone } : {};
  const fault = { kind: 'stalled', timeout, ...(state && { process: state }), ...lone } as const;
  const { lastAt = Infinity } = before ?? {};
  const lasts = !state && (attempt.endedAt ?? 0) - lastAt >= LASTING + 3 * spec.periodSeconds;
  const changes = advise(
    is
      ? { do: 'resume', is }
      : lasts
        ? { do: 'findWait' }
        : { do: 'tolerate', field, process: state, ...lone },
  );
  return found(fault, changes, { evidence: [before] });
}

/** An answer within so many timeouts is slow; one that takes longer comes from a server that has stood still. */
const SLOW = 3;

/** Returns the trial of a longer timeout that got a slow answer, such as that of a server with much work. */
function slowTrial(context: AttemptContext): TrialView | undefined {
  const timeout = 1000 * context.spec.timeoutSeconds;
  return passedTrials(context, `${context.field}.timeoutSeconds`).find(
    ({ latency }) => latency > timeout && latency < SLOW * timeout,
  );
}

/** Seconds beside three attempts, after which a server is not expected to answer again by itself. */
const LASTING = 10;

function slowAnswer(context: AttemptContext): Finding | undefined {
  const { timeoutSeconds: timeout } = context.spec;
  const began = context.attempt.detail?.timings.firstByte;
  const slowest = slowestAnswer(context);
  const field = `${context.field}.timeoutSeconds`;
  // A quick answer does not show that the timeout is too short.
  const passed = passedTrials(context, field).find((each) => each.latency > NEAR * 1000 * timeout);
  if (passed === undefined && began === undefined && slowest <= NEAR * 1000 * timeout) {
    return undefined;
  }
  const longest = passed?.latency ?? Math.max(slowest, began ?? 0);
  const to = Math.max(timeout + 1, Math.ceil((1.5 * longest) / 1000));
  const answered = Math.max(slowest, passed?.latency ?? 0);
  // No single attempt proves a value for a latency that rises.
  const rising = risingLatency(context);
  const proof =
    passed !== undefined && rising === undefined
      ? ({ kind: 'tried', result: passed.word } as const)
      : ({ kind: 'none' } as const);
  return found({ kind: 'slowAnswer', timeout, rising }, [{ kind: 'field', field, to, proof }], {
    evidence: [
      began === undefined ? undefined : { kind: 'answer', began },
      answered === 0 ? undefined : { kind: 'successes', count: 1, lastAt: 0, slowest: answered },
    ],
    certainty: passed === undefined ? 'likely' : 'proven',
  });
}

function noAnswer(context: AttemptContext): Finding {
  const { spec, probe, attempt, field } = context;
  // A cluster's kubelet reports only which step an HTTP attempt had reached.
  const isAccepted = attempt.detail?.timings.connect !== undefined || wasAccepted(attempt.output);
  const accepted = isAccepted ? true : attempt.evidence === undefined ? false : undefined;
  const fault = { kind: 'noAnswer', timeout: spec.timeoutSeconds, accepted } as const;
  const later = lateFailure(context);
  if (later !== undefined) return found({ ...fault, later }, advise({ do: 'findWait' }));
  const tolerate = advise({ do: 'tolerate', field, isLone: true });
  const before = successesBefore(context);
  if (before !== undefined) return found(fault, tolerate, { evidence: [before] });
  if (neverAnswers(context)) return found(fault, advise({ do: 'findWait' }));
  const startup = startupChange(context);
  const either = advise({ do: 'timeoutOrStartup', field: `${field}.timeoutSeconds` });
  const start = [
    ...handlerChange(context),
    ...(startup.length > 0 && isCutShort(context) ? either : startup),
  ];
  const hasWorked = probe.attempts.some((each) => isEarlierSuccess(each, attempt));
  return found(fault, hasWorked && start.length === 0 ? tolerate : start);
}

/** Reports whether a kill has ended a run of kprobe before an attempt with a longer timeout could have its answer. */
function isCutShort({ container, probe, attempt, field }: AttemptContext): boolean {
  const wasKilled = container.runs.some(
    ({ killReason, simulated }) => killReason === 'LivenessProbe' && simulated !== true,
  );
  const wasTried = probe.trials.some((trial) => trial.field === `${field}.timeoutSeconds`);
  return wasKilled && !wasTried && attempt.evidence === undefined;
}

/** Reports whether a server has not answered within a longer timeout either, whatever was asked, and does nothing that shows. */
function neverAnswers(context: AttemptContext): boolean {
  const tried = trialOf(context, `${context.field}.timeoutSeconds`);
  if (tried?.result !== 'failure' || handlerChange(context).length > 0) return false;
  return !isYoung(context) && isQuiet(context);
}

/** Returns the failure, in a word, that a trial of a longer timeout got as an answer: after the timeout, and before its own. */
function lateFailure(context: AttemptContext): string | undefined {
  const trial = trialOf(context, `${context.field}.timeoutSeconds`);
  if (trial?.result !== 'failure') return undefined;
  const { latency, to, word } = trial;
  const isLate = latency > 1000 * context.spec.timeoutSeconds && latency < 950 * Number(to);
  return isLate ? word : undefined;
}

/** Answers in a row whose latencies are compared. */
const RECENT = 6;

/** Returns the first and the last latency, in milliseconds, of a run's recent answers where each took longer than the one before. */
function risingLatency(context: AttemptContext): { from: number; to: number } | undefined {
  const recent = context.probe.attempts
    .filter(({ run }) => run === context.attempt.run)
    .filter((each) => verdictOfAttempt(each) === 'success')
    .slice(-RECENT)
    .map(({ latency }) => latency);
  const [from = 0, to = 0] = [recent[0], recent.at(-1)];
  const rises = recent.slice(1).every((latency, at) => latency > (recent[at] ?? 0));
  // A few latencies rise by chance too, but less.
  const isClear = recent.length >= RECENT ? to > 1.2 * from : recent.length >= 4 && to > 2 * from;
  return rises && isClear ? { from, to } : undefined;
}

/** Milliseconds of the slowest answer to this probe, or to another with the same handler, in all runs or in one. */
function slowestAnswer({ container, probe, spec }: AttemptContext, run?: number): number {
  const handler = JSON.stringify([spec.httpGet, spec.tcpSocket, spec.grpc]);
  const latencies = container.probes.flatMap((other) => {
    const { httpGet, tcpSocket, grpc } = probeOf(container.spec, other.type) ?? {};
    const isSame = JSON.stringify([httpGet, tcpSocket, grpc]) === handler;
    if (other !== probe && !isSame) return [];
    const answered = other.attempts.filter(
      (each) => verdictOfAttempt(each) === 'success' && (run ?? each.run) === each.run,
    );
    return answered.map(({ latency }) => latency);
  });
  return Math.max(0, ...latencies);
}
