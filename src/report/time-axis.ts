import type { Span } from '../schedule/probe-times.js';

export interface Axis {
  /** Seconds of the grid lines; the last one is the end. */
  readonly ticks: readonly number[];
  /** Returns the position of a time on the axis, from 0 to 1. */
  readonly at: (seconds: number) => number;
}

/** Seconds up to which the axis is linear; a longer one has no room for short times. */
const MAX_LINEAR = 120;

export function axisOf(spans: readonly Span[]): Axis {
  const finite = spans.flatMap(({ from, to }) => [from, to]).filter(Number.isFinite);
  const latest = Math.max(1, ...finite);
  return latest <= MAX_LINEAR ? linearAxis(latest) : logAxis(latest);
}

function linearAxis(latest: number): Axis {
  const step = roundStep(latest, [1, 2, 5, 10, 15], 10);
  const end = Math.ceil(latest / step) * step;
  return { ticks: ticksOf(0, end, step), at: (seconds) => clamp(seconds / end) };
}

/** Settings that no API server accepts may give negative times. */
function clamp(ratio: number): number {
  return Math.max(0, Math.min(1, ratio));
}

/** Returns the shortest step that divides a length into at most `limit` parts, or else the longest. */
export function roundStep(length: number, steps: readonly number[], limit: number): number {
  return steps.find((each) => length / each <= limit) ?? Math.max(...steps);
}

/** Returns the multiples of a step between two times. */
export function ticksOf(from: number, to: number, step: number): readonly number[] {
  const first = Math.ceil(from / step);
  const count = Math.floor(to / step) - first + 1;
  return Array.from({ length: count }, (_, index) => Math.round((first + index) * step * 10) / 10);
}

const LOG_TICKS = [0, 1, 2, 5, 10, 20, 60, 120, 300, 600, 1800, 3600, 10_800, 43_200, 86_400];

function logAxis(latest: number): Axis {
  const below = LOG_TICKS.filter((tick) => tick < latest);
  const end = LOG_TICKS[below.length] ?? latest;
  const at = (seconds: number): number => clamp(Math.log1p(Math.max(0, seconds)) / Math.log1p(end));
  return { ticks: [...below, end], at };
}
