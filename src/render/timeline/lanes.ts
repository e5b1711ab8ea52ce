import type { ContainerView, RunView } from '../../trace/summary/container-view.js';
import type { AttemptView, ProbeView } from '../../trace/summary/probe-view.js';
import { attemptSign, attemptTone } from '../attempt-result.js';
import { flowLines, type Line, line, type Span, span, type Tone } from '../text/line.js';

/** The part of time that is shown: `width` cells, the first of them number `first`. */
export interface TimeWindow {
  readonly cell: number;
  readonly first: number;
  readonly width: number;
}

/** Which cell a time falls into; it may be outside the window. */
export function cellOf(time: number, { cell, first }: TimeWindow): number {
  return Math.floor(time / cell) - first;
}

/** The middle of a cell. */
export function timeOf(index: number, { cell, first }: TimeWindow): number {
  return (first + index + 0.5) * cell;
}

interface Mark {
  readonly sign: string;
  readonly tone: Tone;
}

/** What a container did, and what was done to it. */
export function containerLane(
  container: ContainerView,
  addedAt: number,
  now: number,
  window: TimeWindow,
): Span[] {
  const marks = marksOf(container, window);
  return Array.from({ length: window.width }, (_, index) => {
    const time = Math.min(now, timeOf(index, window));
    const mark = marks.get(index);
    if (mark !== undefined) return span(mark.sign, mark.tone);
    const beyond = cellOf(now, window) < index || time < addedAt;
    return beyond ? span(' ') : stateCell(container, time);
  });
}

/** Starts, TERM and ends, by cell; a run that ends and one that starts in the same cell are a restart. */
function marksOf({ runs }: ContainerView, window: TimeWindow): Map<number, Mark> {
  const marks = new Map<number, Mark>();
  const put = (time: number | undefined, sign: string, tone: Tone): void => {
    const index = time === undefined ? -1 : cellOf(time, window);
    if (index < 0 || index >= window.width) return;
    const there = marks.get(index)?.sign;
    const restart = sign === 'S' && (there === 'E' || there === 'R');
    marks.set(index, restart ? { sign: 'R', tone: 'bad' } : { sign, tone });
  };
  for (const run of runs) {
    put(run.startedAt, 'S', 'strong');
    put(run.stop?.at, 'T', 'bad');
    put(run.endedAt, 'E', run.exitCode === 0 ? 'strong' : 'bad');
  }
  return marks;
}

function stateCell(container: ContainerView, time: number): Span {
  const run = container.runs.findLast(
    ({ startedAt, endedAt }) => (startedAt ?? endedAt ?? 0) <= time,
  );
  if (run === undefined) return span('·', 'dim');
  if (run.endedAt !== undefined && run.endedAt <= time) return endedCell(run, time);
  if (run.stop !== undefined && run.stop.at <= time) return span('▒', 'bad');
  const state = container.states.findLast(({ t }) => t <= time);
  // The status follows a second or so later: until then it speaks of the run before.
  if (state === undefined || state.t < (run.startedAt ?? 0)) return span('▂', 'warn');
  if (state.ready) return span('█', 'good');
  return state.started ? span('▄', 'warn') : span('▂', 'warn');
}

function endedCell({ backOff, exitCode }: RunView, time: number): Span {
  const waits = backOff !== undefined && backOff.since <= time;
  if (waits) return span('░', 'bad');
  return exitCode === 0 ? span('·', 'dim') : span('·', 'bad');
}

interface Cell {
  readonly sign: string;
  readonly tone: Tone;
  readonly worth: number;
}

const EMPTY: Cell = { sign: ' ', tone: 'plain', worth: 0 };

/** A probe's attempts, each where it ended; a long one with a line that leads there. */
export function probeLane(
  probe: ProbeView,
  now: number,
  window: TimeWindow,
  cursor: AttemptView | undefined,
): Span[] {
  const cells = Array.from({ length: window.width }, () => EMPTY);
  const put = (index: number, cell: Cell): void => {
    const there = cells[index];
    if (there !== undefined && cell.worth >= there.worth) cells[index] = cell;
  };
  const lead = (from: number, to: number): void => {
    const begin = Math.max(0, cellOf(from, window));
    const end = Math.min(window.width, cellOf(to, window));
    for (let index = begin; index < end; index++) put(index, { sign: '─', tone: 'dim', worth: 1 });
  };
  const turns = new Set(turnsOf(probe.attempts));
  for (const attempt of probe.attempts) {
    const { startedAt, endedAt } = attempt;
    if (cellOf(endedAt, window) < 0) continue;
    if (endedAt - startedAt >= window.cell / 2) lead(startedAt, endedAt);
    put(cellOf(endedAt, window), attemptCell(attempt, turns.has(attempt), attempt === cursor));
  }
  if (probe.inFlight !== undefined) {
    lead(probe.inFlight.startedAt, now);
    put(cellOf(now, window), { sign: '…', tone: 'info', worth: 2 });
  }
  return cells.map(({ sign, tone }) => span(sign, tone));
}

/** Arrows mark what changed the probe's result; of several attempts in a cell the worst shows. */
function attemptCell(attempt: AttemptView, turned: boolean, isCursor: boolean): Cell {
  const tone = isCursor ? 'cursor' : attemptTone(attempt);
  if (turned) return { sign: attempt.set === 'success' ? '↑' : '↓', tone, worth: isCursor ? 9 : 6 };
  const sign = attemptSign(attempt);
  const worth = { '✓': 3, '!': 4, '✗': 5 }[sign] ?? 3;
  return { sign, tone, worth: isCursor ? 9 : worth };
}

/** Cells between two times on the axis. */
const STEP = 12;

/** The times below which the cells stand: seconds since the trace began. */
export function timeAxis(window: TimeWindow, label: string): Line {
  const { cell, first, width } = window;
  let axis = '';
  for (let index = 0; index < width;) {
    const at = first + index;
    if (at >= 0 && at % STEP === 0) {
      const text = `╷${clock(at * cell)}`;
      axis += text;
      index += text.length;
    } else {
      axis += ' ';
      index++;
    }
  }
  return [span(label, 'dim'), span(axis.slice(0, width), 'dim')];
}

/** `0:07`, `12:30`, `1:02:03`; with tenths where cells are short. */
function clock(seconds: number): string {
  const s = Math.floor(seconds);
  const [h, m] = [Math.floor(s / 3600), Math.floor((s % 3600) / 60)];
  const two = (n: number): string => String(n).padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s % 60)}` : `${m}:${two(s % 60)}`;
}

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

/** The attempts that changed what stood, in their container's run. */
export function turnsOf(attempts: readonly AttemptView[]): AttemptView[] {
  let before: AttemptView | undefined;
  return attempts.filter((attempt) => {
    const { set, run } = attempt;
    if (set === undefined) return false;
    const turned = before?.set !== set || before.run !== run;
    before = attempt;
    return turned;
  });
}

const PROBE_SIGNS = [
  '✓ success',
  '✗ failure',
  '! error',
  '↑ ↓ result changed',
  '─ attempt in progress',
];
const CONTAINER_SIGNS = [
  '█ ready',
  '▄ not ready',
  '▂ not started',
  '▒ TERM to end',
  '░ back-off',
  'S start',
  'T TERM',
  'E end',
  'R restart',
];

/** The meaning of the signs, in rows of at most so many columns. */
export function legendLines(columns: number): Line[] {
  return [CONTAINER_SIGNS, PROBE_SIGNS].flatMap((signs) =>
    flowLines(
      signs.map((sign) => line(sign, 'dim')),
      '  ',
      columns,
    ),
  );
}
