import type { TimeWindow } from '../tui/views/timeline/window.js';

/** Seconds in a cell, so that the axis has round times. */
const CELLS: readonly number[] = [
  0.25, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21_600, 86_400,
];

/** A window of at most `width` cells that shows all of a time, from its begin. */
export function wholeWindow(seconds: number, width: number): TimeWindow {
  const enough = (cell: number): boolean => Math.ceil(seconds / cell) <= width;
  const cell = CELLS.find(enough) ?? Math.max(1, Math.ceil(seconds / width));
  return { cell, first: 0, width: Math.max(1, Math.min(width, Math.ceil(seconds / cell))) };
}
