import type { Probe } from '../api/index.js';
import { probeTimes } from '../explain/probe-times.js';
import { counted } from '../render/text/count.js';
import { isFlap, type Measure, type Outage } from './measure.js';

/** What is proposed for one probe. */
export interface ProposedSettings {
  readonly after: Probe;
  readonly reasons: readonly string[];
  readonly trades?: readonly Trade[];
}

/** An answer may take so many times the slowest usual one. */
const LATENCY_MARGIN = 2;

/** The whole seconds that an answer gets: those that it has, where they are enough and no longer than the period. */
export function timeoutOf(probe: Probe, { usual }: Measure): number {
  const needed = Math.max(1, Math.ceil((LATENCY_MARGIN * usual) / 1000));
  const { timeoutSeconds: now, periodSeconds } = probe;
  return needed <= now && now <= Math.max(needed, periodSeconds) ? now : needed;
}

export function timeoutReasons(measured: Measure, { timeoutSeconds }: Probe): string[] {
  const { usual, slowest, timeouts } = measured;
  const stalls =
    slowest === usual
      ? []
      : [
          `a stall answered after ${(slowest / 1000).toFixed(1)} s, far more than the others: a longer timeout would only find hangs later, so it counts as failed here`,
        ];
  const late =
    timeouts === 0
      ? []
      : [
          `${counted(timeouts, 'attempt')} ran into the timeout: how long ${timeouts === 1 ? 'it' : 'they'} would have taken is not known; record with a longer timeout to learn it`,
        ];
  return [
    `timeout: the slowest answer${stalls.length === 0 ? '' : ', stalls left out,'} took ${usual.toFixed(0)} ms; ${timeoutSeconds} s leave it twice that`,
    ...stalls,
    ...late,
  ];
}

/** What a container with probes is to its pod; an init container that ends has none. */
export type ProbedRole = 'container' | 'sidecar';

/** What a number of failures in a row would cost and bring. */
export interface Trade {
  readonly failureThreshold: number;
  /** Seconds from the begin of a hang to the result, at worst. */
  readonly detects: number;
  /** Failures in a row of the recording that ended by themselves, and would have been acted on. */
  readonly falseAlarms: number;
  /** Seconds from one false alarm to the next, if the single failures of the recording come by chance. */
  readonly chance?: number;
}

const MOST_TRADES = 10;

export function tradesOf(after: Probe, measured: Measure): Trade[] {
  const most = Math.min(MOST_TRADES, after.failureThreshold + 1);
  return Array.from({ length: most }, (_, index) => {
    const failureThreshold = index + 1;
    const chance = chanceOf(after, measured, failureThreshold);
    return {
      failureThreshold,
      detects: probeTimes({ ...after, failureThreshold }).hangs.to,
      falseAlarms: measured.outages.filter(
        (outage) => failuresAt(outage, after.periodSeconds) >= failureThreshold,
      ).length,
      ...(chance === undefined ? {} : { chance }),
    };
  });
}

/** So many attempts would have failed at another period. */
export function failuresAt({ failures, lasted }: Outage, periodSeconds: number): number {
  return Math.min(failures, Math.max(1, Math.ceil(lasted / periodSeconds)));
}

/** The least number of failures in a row, from `least` to `most`, that is by chance no more often than so. */
export function rarerThan(
  seconds: number,
  probe: Probe,
  measured: Measure,
  [least, most]: readonly [number, number],
): number {
  let threshold = least;
  while (threshold < most && (chanceOf(probe, measured, threshold) ?? Infinity) < seconds) {
    threshold++;
  }
  return threshold;
}

/**
 * Seconds between rows of so many failures when each attempt fails for itself; undefined when none did, or only once:
 * how often that comes, nobody knows.
 */
function chanceOf(
  { periodSeconds }: Probe,
  { flaps, asked, outages }: Measure,
  failures: number,
): number | undefined {
  if (outages.filter(isFlap).length < 2) return undefined;
  const share = flaps / asked;
  return periodSeconds / (share ** failures * (1 - share));
}
