import { cellOf, type TimeWindow } from '../../report/lanes.js';
import type { AttemptView } from '../../trace/summary/probe-view.js';
import type { PodSummary } from '../../trace/summary/summary.js';
import { type RowTarget, rowTargets } from './selection.js';
import type { Size, Snapshot, TimelineUi } from './state.js';

/** Seconds in a cell, from close to far. */
export const ZOOMS: readonly number[] = [0.25, 0.5, 1, 2, 5, 10, 30, 60, 300];

/** Screens of this size and more have panels. */
const LARGE: Size = { columns: 56, rows: 36 };

export function isLarge({ columns, rows }: Size): boolean {
  return columns >= LARGE.columns && rows >= LARGE.rows;
}

/** Reports whether a pod's first view has a timeline too. */
export function hasLanes(pod: PodSummary, snapshot: Snapshot): boolean {
  return isLarge(snapshot.size) && rowTargets(pod, snapshot).length <= snapshot.size.rows / 3;
}

/** Columns of the names of lanes. */
export function laneLabelWidth(columns: number): number {
  return Math.min(24, Math.max(12, Math.floor(columns / 5)));
}

/** The time that lanes show in a number of columns. */
export function timeWindow({ ui, now }: Snapshot, columns: number): TimeWindow {
  const { zoom, end } = ui.timeline;
  const cell = ZOOMS[zoom] ?? 1;
  const width = Math.max(1, columns - laneLabelWidth(columns) - 1);
  // Cells keep to a grid, so that what they show does not flicker as time passes.
  const last = Math.floor((end === 'now' ? now : end) / cell);
  return { cell, first: Math.max(0, last - width + 1), width };
}

/** The attempt under the cursor; in another lane, the one nearest to it in time. */
export function cursorAttempt({ probe }: RowTarget, { ui }: Snapshot): AttemptView | undefined {
  const { cursor } = ui.timeline;
  const attempts = probe?.attempts ?? [];
  if (cursor === undefined) return attempts.at(-1);
  return attempts.findLast(({ startedAt }) => startedAt <= cursor) ?? attempts[0];
}

/** Moves the cursor by a number of attempts, and the window with it; a container's lane moves by cells. */
export function stepInTime(snapshot: Snapshot, target: RowTarget, by: number): Partial<TimelineUi> {
  const { ui, now, size } = snapshot;
  const window = timeWindow(snapshot, size.columns);
  const end = ui.timeline.end === 'now' ? now : ui.timeline.end;
  const room = window.cell * window.width;
  if (target.probe === undefined) {
    const far = (by * room) / 4;
    return { end: Math.max(room, Math.min(now, by === -Infinity ? 0 : end + far)) };
  }
  const { attempts } = target.probe;
  const current = cursorAttempt(target, snapshot);
  const at = current === undefined ? -1 : attempts.indexOf(current);
  const next = attempts[Math.max(0, Math.min(attempts.length - 1, at + by))];
  if (next === undefined) return {};
  const cell = cellOf(next.endedAt, window);
  const margin = Math.floor(window.width / 4) * window.cell;
  if (cell < 0) return { cursor: next.startedAt, end: next.endedAt + room - margin };
  const isInside = cell < window.width;
  return { cursor: next.startedAt, end: isInside ? end : next.endedAt + margin };
}
