import type { AttemptView } from '../../../trace/summary/probe-view.js';
import { cellOf, type TimeWindow } from '../../timeline/lanes.js';
import { choose, type KeyName } from '../keys.js';
import { chosenTarget, podInView, type RowTarget, rowTargets } from '../selection.js';
import { type Snapshot, type TimelineUi, withChosen, withOverlay } from '../state.js';
import type { Pressed } from './view.js';

/** Seconds in a cell, from close to far. */
export const ZOOMS: readonly number[] = [0.25, 0.5, 1, 2, 5, 10, 30, 60, 300];

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

/** The attempt under the cursor; in another lane, the one nearest to it in time. */
export function cursorAttempt({ probe }: RowTarget, { ui }: Snapshot): AttemptView | undefined {
  const { cursor } = ui.timeline;
  const attempts = probe?.attempts ?? [];
  if (cursor === undefined) return attempts.at(-1);
  return attempts.findLast(({ startedAt }) => startedAt <= cursor) ?? attempts[0];
}

export function pressTimeline(snapshot: Snapshot, key: KeyName): Pressed | undefined {
  const { ui, size } = snapshot;
  const pod = podInView(snapshot);
  const target = pod && chosenTarget(pod, snapshot);
  if (pod === undefined || target === undefined) return undefined;
  const moved = moveInTime(snapshot, target, key);
  if (moved !== undefined) return { ui: { ...ui, timeline: { ...ui.timeline, ...moved } } };
  const { container, probe } = target;
  if (key === 'enter' && probe !== undefined) {
    const { startedAt } = cursorAttempt(target, snapshot) ?? {};
    const which = startedAt === undefined ? {} : { startedAt };
    const ref = { pod: pod.key, container: container.name, probe: probe.type };
    return { ui: withOverlay(ui, { kind: 'attempt', ...ref, ...which }) };
  }
  const ids = rowTargets(pod, ui.filter).map(({ id }) => id);
  const id = choose(ids, target.id, key, size.rows / 2);
  return id === undefined ? undefined : { ui: withChosen(ui, pod.key, id) };
}

function moveInTime(
  snapshot: Snapshot,
  target: RowTarget,
  key: KeyName,
): Partial<TimelineUi> | undefined {
  const { zoom } = snapshot.ui.timeline;
  switch (key) {
    case '+':
    case '=':
      return { zoom: Math.max(0, zoom - 1) };
    case '-':
    case '_':
      return { zoom: Math.min(ZOOMS.length - 1, zoom + 1) };
    case 'f':
    case 'G':
    case 'end':
      return { end: 'now', cursor: undefined };
    case 'g':
    case 'home':
      return step(snapshot, target, -Infinity);
    case 'left':
    case 'h':
      return step(snapshot, target, -1);
    case 'right':
      return step(snapshot, target, 1);
    default:
      return undefined;
  }
}

/** Moves the cursor by so many attempts, and the window with it; a container's lane moves by cells. */
function step(snapshot: Snapshot, target: RowTarget, by: number): Partial<TimelineUi> {
  const { ui, now } = snapshot;
  const window = timeWindow(snapshot);
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
