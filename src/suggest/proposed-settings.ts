import type { Probe } from '../api/index.js';
import { probeTimes } from '../schedule/probe-times.js';
import { counted } from '../text/count.js';
import { isFlap, type Measure, type Outage } from './measure.js';

export interface ProposedSettings {
  readonly after: Probe;
  readonly reasons: readonly string[];
  readonly trades?: readonly Trade[];
}

/** The timeout is at least this multiple of the slowest usual answer. */
const LATENCY_MARGIN = 2;

/** Share of the answers that come within the timeout, by the tail of the latencies, and the longest timeout for that purpose. */
const ANSWERED = 0.99;
const MAX_TIMEOUT = 10_000;

/** Returns the timeout in whole seconds: the current one where it is enough and not longer than the period. */
export function timeoutOf(probe: Probe, { usual, tail }: Measure): number {
  const slow = Math.min(MAX_TIMEOUT, tail?.quantile(ANSWERED) ?? 0);
  const needed = Math.max(1, Math.ceil(Math.max(LATENCY_MARGIN * usual, slow) / 1000));
  const { timeoutSeconds: now, periodSeconds } = probe;
  return needed <= now && now <= Math.max(needed, periodSeconds) ? now : needed;
}

export function timeoutReasons(measured: Measure, { timeoutSeconds }: Probe): string[] {
  const { usual, slowest, timeouts, tail } = measured;
  const stalls =
    slowest === usual
      ? []
      : [
          `a stall answered after ${(slowest / 1000).toFixed(1)} s, much later than the others: a longer timeout would only detect hangs later, so it counts as a failure here`,
        ];
  const late =
    timeouts === 0
      ? []
      : tail === undefined
        ? [
            `${counted(timeouts, 'attempt')} ran into the timeout: how long ${timeouts === 1 ? 'it' : 'they'} would have taken is unknown; record with a longer timeout to find out`,
          ]
        : [
            `${counted(tail.timeouts, 'attempt')} ran into the timeout: by a tail fitted to the other latencies, 99 % of the answers take at most ${(tail.quantile(ANSWERED) / 1000).toFixed(1)} s; record with a longer timeout to measure it`,
          ];
  return [
    `timeout: the slowest answer${stalls.length === 0 ? '' : ', stalls excluded,'} took ${usual.toFixed(0)} ms; ${timeoutSeconds} s is at least twice that`,
    ...stalls,
    ...late,
  ];
}

/** Lets a process live on through the restarts that a kubelet would make. */
export const SIMULATED_RESTARTS_COMMAND =
  'kprobe run POD.yaml --restart simulated --for 5m --record RUN.ndjson -- COMMAND';

export type ProbedRole = 'container' | 'sidecar';

/** The costs and benefits of a failureThreshold. */
export interface Trade {
  readonly failureThreshold: number;
  /** Seconds from the start of a hang to the result, at worst. */
  readonly detects: number;
  /** Recorded outages that ended by themselves but would have been acted on. */
  readonly falseAlarms: number;
  /** Mean seconds between false alarms if the recorded single failures are independent. */
  readonly chance?: number;
}

const MAX_TRADES = 10;

export function tradesOf(after: Probe, measured: Measure): Trade[] {
  const length = Math.min(MAX_TRADES, after.failureThreshold + 1);
  return Array.from({ length }, (_, index) => {
    const failureThreshold = index + 1;
    const chance = chanceOf(after, measured, failureThreshold);
    return {
      failureThreshold,
      detects: probeTimes({ ...after, failureThreshold }).hangs.to,
      falseAlarms: measured.outages.filter(
        (outage) => failuresAt(outage, after.periodSeconds) >= failureThreshold,
      ).length,
      ...(chance !== undefined && { chance }),
    };
  });
}

/** Returns how many attempts of an outage would have failed at another period. */
export function failuresAt({ failures, lasted }: Outage, periodSeconds: number): number {
  return Math.min(failures, Math.max(1, Math.ceil(lasted / periodSeconds)));
}

/** Returns the lowest threshold, from `min` to `max`, whose false alarms are at least `seconds` apart. */
export function rarerThan(
  seconds: number,
  probe: Probe,
  measured: Measure,
  [min, max]: readonly [number, number],
): number {
  let threshold = min;
  while (threshold < max && (chanceOf(probe, measured, threshold) ?? Infinity) < seconds) {
    threshold++;
  }
  return threshold;
}

/** Returns the mean seconds between false alarms; undefined when fewer than two single failures were recorded. */
function chanceOf({ periodSeconds }: Probe, { flaps, asked, outages }: Measure, failures: number) {
  if (outages.filter(isFlap).length < 2) return undefined;
  const share = flaps / asked;
  return periodSeconds / (share ** failures * (1 - share));
}
