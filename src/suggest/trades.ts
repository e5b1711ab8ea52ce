import type { Probe } from '../api/index.js';
import { probeTimes } from '../explain/probe-times.js';
import { isFlap, type Measure, type Outage } from './measure.js';

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
