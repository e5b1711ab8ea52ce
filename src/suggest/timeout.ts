import type { Probe } from '../api/index.js';
import { counted } from '../render/text/count.js';
import type { Measure } from './measure.js';

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
