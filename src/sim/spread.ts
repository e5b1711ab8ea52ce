import type { Random } from '../clock/random.js';

/** An amount that differs from time to time, evenly between two ends. Milliseconds. */
export interface Spread {
  readonly from: number;
  readonly to: number;
}

/** One amount out of a spread; an exact one takes nothing of the randomness. */
export function draw({ from, to }: Spread, random: Random): number {
  return from === to ? from : from + random() * (to - from);
}
