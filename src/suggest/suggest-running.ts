import type { Probe } from '../api/index.js';
import { counted } from '../render/text/count.js';
import type { Measure } from './measure.js';
import type { ProposedSettings } from './proposed-settings.js';
import { timeoutOf, timeoutReasons } from './timeout.js';
import { failuresAt, rarerThan, tradesOf } from './trades.js';

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
