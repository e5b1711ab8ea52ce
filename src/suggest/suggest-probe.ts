import type { Probe } from '../api/index.js';
import { counted } from '../text/count.js';
import type { Measure } from './measure.js';
import {
  failuresAt,
  type ProbedRole,
  type ProposedSettings,
  rarerThan,
  SIMULATED_RESTARTS_COMMAND,
  timeoutOf,
  timeoutReasons,
  tradesOf,
} from './proposed-settings.js';

const DAY = 24 * 3600;
/** Seconds after which a hang is detected late. */
const LATE = 60;

/** Measures again, counting answers slower than the timeout as failures. */
type Remeasure = (timeoutSeconds: number) => Measure;

/** Suggests settings that stop traffic soon, but not for a single lost answer. */
export function suggestReadiness(
  before: Probe,
  all: Measure,
  remeasure: Remeasure,
): ProposedSettings {
  const fitted = withTimeout(before, all);
  const measured = remeasure(fitted.timeoutSeconds);
  const maxFailures = maxFailuresOf(measured, fitted);
  const min = Math.min(3, Math.max(2, maxFailures + 1));
  const failureThreshold = thresholdFor(fitted, rarerThan(DAY, fitted, measured, [min, 3]));
  const after = { ...fitted, failureThreshold };
  const reason =
    maxFailures === 0
      ? `failures: ${noOutageText(measured, all)}; ${failureThreshold} in a row, so that a single lost answer does not stop traffic`
      : `failures: ${outagesText(measured)}; ${failureThreshold > maxFailures ? `${failureThreshold} in a row tolerate that` : 'waiting for more than 3 would send requests to a container that does not answer'}`;
  return {
    after,
    reasons: [reason, ...changes(before, after), ...timeoutReasons(all, after)],
    trades: tradesOf(after, measured),
  };
}

/** Suggests settings that restart only after an outage that does not end by itself, since a late restart costs less than a needless one. */
export function suggestLiveness(
  before: Probe,
  all: Measure,
  remeasure: Remeasure,
): ProposedSettings {
  const fitted = withTimeout(before, all);
  const measured = remeasure(fitted.timeoutSeconds);
  const outage = Math.max(0, ...measured.outages.map(({ lasted }) => lasted));
  const needed = Math.max(
    maxFailuresOf(measured, fitted) + 1,
    Math.ceil((2 * outage) / fitted.periodSeconds) + 1,
    rarerThan(30 * DAY, fitted, measured, [3, 20]),
  );
  const failureThreshold = thresholdFor(fitted, needed);
  const after = { ...fitted, failureThreshold };
  return {
    after,
    reasons: [
      outage === 0
        ? `failures: ${noOutageText(measured, all)}; ${failureThreshold} in a row: a needless restart costs more than a late one`
        : `failures: ${outagesText(measured)}, after ${measured.outages.length === 1 ? '' : 'at most '}${outage.toFixed(1)} s; a restart waits for at least twice that`,
      ...unended(measured),
      ...changes(before, after),
      ...timeoutReasons(all, after),
    ],
    trades: tradesOf(after, measured),
  };
}

/** Removes the initial delay and fits the timeout into the period. */
function withTimeout(before: Probe, measured: Measure): Probe {
  const timeoutSeconds = timeoutOf(before, measured);
  const periodSeconds = Math.max(before.periodSeconds, timeoutSeconds);
  return { ...before, initialDelaySeconds: 0, timeoutSeconds, periodSeconds };
}

/** Keeps the current threshold when it is enough and not far too high. */
function thresholdFor({ failureThreshold: set, periodSeconds }: Probe, needed: number): number {
  const isFar = set > 2 * needed && set * periodSeconds > LATE;
  return needed <= set && !isFar ? set : needed;
}

/** Returns the most failures in a row that a success ended. */
function maxFailuresOf({ outages }: Measure, { periodSeconds }: Probe): number {
  return Math.max(0, ...outages.map((outage) => failuresAt(outage, periodSeconds)));
}

/** Describes the failures where no success came after any: a run may have ended with some. */
function noOutageText({ unended: last }: Measure, { failed }: Measure): string {
  if (last > 0) {
    return `${counted(last, 'failure')} in a row at the end of a run, none that a success ended`;
  }
  const after =
    failed === 0 ? 'none' : `${counted(failed, 'timeout')} that the new timeout would avoid`;
  return `${after} after the first success`;
}

function unended({ unended: last }: Measure): string[] {
  if (last === 0) return [];
  return [
    `a run ended after ${counted(last, 'failure')} in a row: whether it would have recovered is unknown; record with a higher failureThreshold, or with ${SIMULATED_RESTARTS_COMMAND}, to find out`,
  ];
}

function changes(before: Probe, after: Probe): string[] {
  return [
    ...(before.initialDelaySeconds > 0
      ? ['no initial delay: it only delays the first answer']
      : []),
    ...(after.periodSeconds > before.periodSeconds
      ? ['period: not shorter than the timeout, or ticks are dropped']
      : []),
    ...(after.failureThreshold < before.failureThreshold
      ? [
          `${before.failureThreshold} in a row would detect a hang only after ${before.failureThreshold * after.periodSeconds} s`,
        ]
      : []),
  ];
}

function outagesText({ outages }: Measure): string {
  const maxFailures = Math.max(...outages.map(({ failures }) => failures));
  if (outages.length === 1) {
    return maxFailures === 1
      ? 'one attempt failed, and the next one succeeded'
      : `${maxFailures} attempts in a row failed, and the next one succeeded`;
  }
  return `${outages.length} outages of at most ${counted(maxFailures, 'attempt')} in a row, and then it succeeded again`;
}

/** The start budget: this multiple of the slowest start, and at least these seconds. */
const START_MARGIN = 3;
const MIN_STARTUP_BUDGET = 30;
/** A budget this many times too long is shortened, given enough measured starts. */
const TOO_LONG = 4;
const MIN_STARTS = 3;
/** Seconds: a longer period notices the end of the start late. */
const MAX_PERIOD = 10;

/** The probes and containers that wait for a startup probe. */
const WAITS: Readonly<Record<ProbedRole, string>> = {
  container: 'readiness waits for it',
  sidecar: 'the containers after a sidecar wait for it',
};

/** Suggests a startup probe that leaves the slowest start enough time; `asked` is the handler when there is none yet. */
export function suggestStartup(
  before: Probe | undefined,
  asked: Probe,
  role: ProbedRole,
  measured: Measure,
): ProposedSettings {
  const { longestUnanswered } = measured;
  const answered = Math.max(...measured.starts.map(({ to }) => to));
  const slowest = Math.max(answered, longestUnanswered);
  const starts = measured.starts.length;
  const budget = startBudget(before, slowest, starts);
  const few = `${counted(starts, 'start is', 'starts are')} too few to shorten it`;
  const { periodSeconds, failureThreshold } = budget;
  const { terminationGracePeriodSeconds: _, ...handler } = asked;
  const after = {
    ...(before ?? handler),
    initialDelaySeconds: 0,
    periodSeconds,
    failureThreshold,
    successThreshold: 1,
    timeoutSeconds: timeoutOf({ ...asked, periodSeconds }, measured),
  };
  return {
    after,
    reasons: [
      budgetReason(starts, answered, longestUnanswered, after),
      ...(budget.isLong ? [`kept although it is long: ${few}`] : []),
      ...inBetween(measured),
      'a busy node is slower than where this was measured, and a long budget only costs time when a start never finishes',
      ...(before === undefined || before.initialDelaySeconds > 0
        ? ['no initial delay: the other probes wait for the first success anyway']
        : []),
      ...(before === undefined
        ? [`its cost: ready up to ${periodSeconds} s later, as ${WAITS[role]}`]
        : []),
      // After the first success a startup probe makes no more attempts, so later timeouts do not concern it.
      ...timeoutReasons({ ...measured, timeouts: 0 }, after),
    ],
  };
}

/** Chooses period and threshold: those of `before` where they are enough, and not far too long. */
function startBudget(before: Probe | undefined, slowest: number, starts: number) {
  const needed = Math.max(MIN_STARTUP_BUDGET, START_MARGIN * slowest);
  const had = before === undefined ? 0 : before.periodSeconds * before.failureThreshold;
  const isLong = had > TOO_LONG * needed;
  const isKept = had >= needed && (!isLong || starts < MIN_STARTS);
  const periodSeconds =
    isKept && before !== undefined && before.periodSeconds <= MAX_PERIOD
      ? before.periodSeconds
      : Math.min(MAX_PERIOD, Math.max(1, Math.ceil(slowest / 10)));
  const failureThreshold = Math.ceil((isKept ? had : needed) / periodSeconds);
  return { periodSeconds, failureThreshold, isLong: isLong && isKept };
}

function budgetReason(starts: number, answered: number, unanswered: number, after: Probe): string {
  const { periodSeconds, failureThreshold } = after;
  const which = starts === 1 ? 'the only start' : `the slowest of ${starts} starts`;
  const longer =
    unanswered > answered ? `, another one had not after ${unanswered.toFixed(1)} s` : '';
  const budget = periodSeconds * failureThreshold;
  const times = (budget / Math.max(answered, unanswered, 0.1)).toFixed(0);
  return `budget: ${which} answered after ${answered.toFixed(1)} s${longer}; ${periodSeconds} s × ${failureThreshold} allow ${budget} s, ${times} times as long`;
}

/** Mentions how exactly the start is known, where the budget depends on it. */
function inBetween({ starts }: Measure): string[] {
  const { from, to, asked } = starts.reduce((latest, start) =>
    start.to > latest.to ? start : latest,
  );
  if (asked !== undefined) {
    return [
      `that is its first answer to another probe: this one's first attempt, after ${asked.toFixed(1)} s, succeeded`,
    ];
  }
  if (START_MARGIN * to <= MIN_STARTUP_BUDGET || to - from < to / 3) return [];
  return [
    from === 0
      ? `the first attempt came after ${to.toFixed(1)} s and succeeded: it may have started long before; record with initialDelaySeconds 0 to find out`
      : `no attempt from ${from.toFixed(1)} s to ${to.toFixed(1)} s: it may have started at any time between; record with a shorter period to find out`,
  ];
}
