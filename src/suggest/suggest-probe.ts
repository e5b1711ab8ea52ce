import type { Probe } from '../api/index.js';
import { counted } from '../render/text/count.js';
import type { Measure } from './measure.js';
import {
  failuresAt,
  type ProbedRole,
  type ProposedSettings,
  rarerThan,
  timeoutOf,
  timeoutReasons,
  tradesOf,
} from './proposed-settings.js';

const DAY = 24 * 3600;
/** Seconds after which a hang is found late. */
const LATE = 60;

/** Measures again, with what takes longer than a timeout as a failure. Seconds. */
export type Remeasure = (timeoutSeconds: number) => Measure;

/** A container that does not answer is to be sent nothing soon, but not for a single lost answer. */
export function suggestReadiness(before: Probe, all: Measure, again: Remeasure): ProposedSettings {
  const fitted = withTimeout(before, all);
  const measured = again(fitted.timeoutSeconds);
  const longest = longestOf(measured, fitted);
  const least = Math.min(3, Math.max(2, longest + 1));
  const failureThreshold = kept(fitted, rarerThan(DAY, fitted, measured, [least, 3]));
  const after = { ...fitted, failureThreshold };
  const why =
    longest === 0
      ? `failures: none came and went while it ran; ${inARow(failureThreshold)}, so that a single lost answer does not take it out of service`
      : `failures: ${rows(measured)}; ${failureThreshold > longest ? `${inARow(failureThreshold)} let that pass` : 'waiting for more than 3 would send requests to a container that does not answer'}`;
  return {
    after,
    reasons: [why, ...changes(before, after), ...timeoutReasons(all, after)],
    trades: tradesOf(after, measured),
  };
}

/** A restart costs more than a late one: it waits until what goes away by itself has gone. */
export function suggestLiveness(before: Probe, all: Measure, again: Remeasure): ProposedSettings {
  const fitted = withTimeout(before, all);
  const measured = again(fitted.timeoutSeconds);
  const outage = Math.max(0, ...measured.outages.map(({ lasted }) => lasted));
  const needed = Math.max(
    longestOf(measured, fitted) + 1,
    Math.ceil((2 * outage) / fitted.periodSeconds) + 1,
    rarerThan(30 * DAY, fitted, measured, [3, 20]),
  );
  const failureThreshold = kept(fitted, needed);
  const after = { ...fitted, failureThreshold };
  return {
    after,
    reasons: [
      outage === 0
        ? `failures: none came and went while it ran; ${inARow(failureThreshold)}: a restart costs more than a late one`
        : `failures: ${rows(measured)}, after ${measured.outages.length === 1 ? '' : 'at most '}${outage.toFixed(1)} s; a restart waits for at least twice that`,
      ...unended(measured),
      ...changes(before, after),
      ...timeoutReasons(all, after),
    ],
    trades: tradesOf(after, measured),
  };
}

/** No initial delay, and a period that an answer fits into. */
function withTimeout(before: Probe, measured: Measure): Probe {
  const timeoutSeconds = timeoutOf(before, measured);
  const periodSeconds = Math.max(before.periodSeconds, timeoutSeconds);
  return { ...before, initialDelaySeconds: 0, timeoutSeconds, periodSeconds };
}

/** What is set is kept when it is enough, and not far more than that. */
function kept({ failureThreshold: set, periodSeconds }: Probe, needed: number): number {
  const isFar = set > 2 * needed && set * periodSeconds > LATE;
  return needed <= set && !isFar ? set : needed;
}

function longestOf({ outages }: Measure, { periodSeconds }: Probe): number {
  return Math.max(0, ...outages.map((outage) => failuresAt(outage, periodSeconds)));
}

function unended({ unended: last }: Measure): string[] {
  if (last === 0) return [];
  return [
    `a run ended in a row of ${counted(last, 'failure')}: whether it would have recovered is not known; record with a higher failureThreshold to learn it`,
  ];
}

function changes(before: Probe, after: Probe): string[] {
  return [
    ...(before.initialDelaySeconds > 0
      ? ['no initial delay: it only makes the first answer late']
      : []),
    ...(after.periodSeconds > before.periodSeconds
      ? ['period: no shorter than the timeout, or attempts are left out']
      : []),
    ...(after.failureThreshold < before.failureThreshold
      ? [
          `${before.failureThreshold} in a row would see a hang only after ${before.failureThreshold * after.periodSeconds} s`,
        ]
      : []),
  ];
}

function rows({ outages }: Measure): string {
  const longest = Math.max(...outages.map(({ failures }) => failures));
  if (outages.length === 1) {
    return longest === 1
      ? 'an attempt failed, and the next one succeeded'
      : `${longest} attempts in a row failed, and the next one succeeded`;
  }
  return `it failed ${outages.length} times, at most ${counted(longest, 'attempt')} in a row, and succeeded again`;
}

function inARow(threshold: number): string {
  return `${threshold} in a row`;
}

/** A start may take so many times the slowest one that was measured, and always so many seconds. */
const START_MARGIN = 3;
const LEAST_START = 30;
/** A budget so many times what is enough is shortened, when so many starts were measured. */
const TOO_LONG = 4;
const ENOUGH_STARTS = 3;
/** Seconds: a longer period finds out late that it has started. */
const LONGEST_PERIOD = 10;

/** What a new startup probe holds up. */
const WAITS: Readonly<Record<ProbedRole, string>> = {
  container: 'readiness waits for it',
  sidecar: 'the containers behind a sidecar wait for it',
};

/** A startup probe that leaves the slowest start its time; `asked` is what it asks when there is none yet. */
export function suggestStartup(
  before: Probe | undefined,
  asked: Probe,
  role: ProbedRole,
  measured: Measure,
): ProposedSettings {
  const slowest = Math.max(...measured.starts.map(({ to }) => to));
  const needed = Math.max(LEAST_START, START_MARGIN * slowest);
  const had = before === undefined ? 0 : budgetOf(before);
  const isLong = had > TOO_LONG * needed;
  const isKept = had >= needed && (!isLong || measured.starts.length < ENOUGH_STARTS);
  const periodSeconds =
    isKept && before !== undefined && before.periodSeconds <= LONGEST_PERIOD
      ? before.periodSeconds
      : Math.min(LONGEST_PERIOD, Math.max(1, Math.ceil(slowest / 10)));
  const failureThreshold = Math.ceil((isKept ? had : needed) / periodSeconds);
  const { terminationGracePeriodSeconds: _, ...handler } = asked;
  const after = {
    ...(before ?? handler),
    initialDelaySeconds: 0,
    periodSeconds,
    failureThreshold,
    successThreshold: 1,
    timeoutSeconds: timeoutOf({ ...asked, periodSeconds }, measured),
  };
  const never = measured.neverAnswered;
  const starts = measured.starts.length;
  return {
    after,
    reasons: [
      `budget: the ${starts === 1 ? 'only start' : `slowest of ${starts} starts`} was answered after ${slowest.toFixed(1)} s; ${periodSeconds} s × ${failureThreshold} leave it ${leaves(periodSeconds * failureThreshold, slowest)}`,
      ...(isLong && isKept
        ? [
            `kept, long as it is: ${counted(starts, 'start')} ${starts === 1 ? 'is' : 'are'} little to shorten it by`,
          ]
        : []),
      ...inBetween(measured),
      'a busy node is slower than the machine that was measured, and a long budget costs only when a start never ends',
      ...(before === undefined || before.initialDelaySeconds > 0
        ? ['no initial delay: the other probes wait for its first success, however soon that comes']
        : []),
      ...(before === undefined
        ? [`trade: up to ${periodSeconds} s later ready, as ${WAITS[role]}`]
        : []),
      // It is asked no more when it has started: what runs into a timeout then is nothing to it.
      ...timeoutReasons({ ...measured, timeouts: 0 }, after),
      ...(never === 0
        ? []
        : [
            `${counted(never, 'run')} ended before the first success: how long ${never === 1 ? 'it' : 'they'} would have taken is not known`,
          ]),
    ],
  };
}

/** A start is known to within the attempts around it; that is told where the budget hangs on it. */
function inBetween({ starts }: Measure): string[] {
  const { from, to, asked } = starts.reduce((most, start) => (start.to > most.to ? start : most));
  if (asked !== undefined) {
    return [
      `that is its first answer to another probe: it was first asked this after ${asked.toFixed(1)} s, and had started`,
    ];
  }
  if (START_MARGIN * to <= LEAST_START || to - from < to / 2) return [];
  return [
    from === 0
      ? `it was first asked after ${to.toFixed(1)} s, and had started: it may have long before; record it with initialDelaySeconds 0 to learn it`
      : `from ${from.toFixed(1)} s to ${to.toFixed(1)} s nobody asked: it may have started soon after the one; record it with a shorter period to learn it`,
  ];
}

function budgetOf({ periodSeconds, failureThreshold }: Probe): number {
  return periodSeconds * failureThreshold;
}

function leaves(budget: number, slowest: number): string {
  return `${budget} s, ${(budget / Math.max(slowest, 0.1)).toFixed(0)} times as long`;
}
