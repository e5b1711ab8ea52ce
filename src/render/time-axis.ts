import type { Span } from '../explain/probe-times.js';

/** A time axis from 0. */
export interface Axis {
  /** Seconds that a line stands for; the last one is the end. */
  readonly ticks: readonly number[];
  /** Where a time lies, from 0 to 1. */
  readonly at: (seconds: number) => number;
}

/** Up to so many seconds the axis is even; what is longer would leave no room to tell the short ones apart. */
const LONGEST_EVEN = 120;

/** Returns an axis on which all finite times have room. */
export function axisOf(spans: readonly Span[]): Axis {
  const finite = spans.flatMap(({ from, to }) => [from, to]).filter(Number.isFinite);
  const longest = Math.max(1, ...finite);
  return longest <= LONGEST_EVEN ? evenAxis(longest) : growingAxis(longest);
}

function evenAxis(longest: number): Axis {
  const step = [1, 2, 5, 10, 15].find((each) => longest / each <= 10) ?? longest;
  const count = Math.ceil(longest / step);
  const ticks = Array.from({ length: count + 1 }, (_, index) => index * step);
  return { ticks, at: (seconds) => Math.min(1, seconds / (count * step)) };
}

const GROWING = [0, 1, 2, 5, 10, 20, 60, 120, 300, 600, 1800, 3600, 10_800, 43_200, 86_400];

function growingAxis(longest: number): Axis {
  const below = GROWING.filter((tick) => tick < longest);
  const end = GROWING[below.length] ?? longest;
  const at = (seconds: number): number => Math.log1p(seconds) / Math.log1p(end);
  return { ticks: [...below, end], at: (seconds) => Math.min(1, at(seconds)) };
}
