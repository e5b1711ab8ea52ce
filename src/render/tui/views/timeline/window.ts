import type { Snapshot } from '../../store/snapshot.js';

/** Seconds in a cell, from close to far. */
export const ZOOMS: readonly number[] = [0.25, 0.5, 1, 2, 5, 10, 30, 60, 300];

/** The part of time that is shown: `width` cells, the first of them number `first`. */
export interface TimeWindow {
  readonly cell: number;
  readonly first: number;
  readonly width: number;
}

/** Columns of the lanes' names. */
export function labelWidth(columns: number): number {
  return Math.min(24, Math.max(12, Math.floor(columns / 5)));
}

export function timeWindow({ ui, now, size }: Snapshot): TimeWindow {
  const { zoom, end } = ui.timeline;
  const cell = ZOOMS[zoom] ?? 1;
  const width = Math.max(1, size.columns - labelWidth(size.columns) - 1);
  // Cells keep to a grid, so that what they show does not flicker as time goes on.
  const last = Math.floor((end === 'now' ? now : end) / cell);
  return { cell, first: Math.max(0, last - width + 1), width };
}

/** Which cell a time falls into; it may be outside the window. */
export function cellOf(time: number, { cell, first }: TimeWindow): number {
  return Math.floor(time / cell) - first;
}

/** The middle of a cell. */
export function timeOf(index: number, { cell, first }: TimeWindow): number {
  return (first + index + 0.5) * cell;
}
