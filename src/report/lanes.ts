import { flowLines, type Line, line, type Span, span, type Tone } from '../text/line.js';
import type { ContainerView } from '../trace/summary/container-view.js';
import type { AttemptView, ProbeView } from '../trace/summary/probe-view.js';
import { findContainerOf, type PodSummary, type Summary } from '../trace/summary/summary.js';
import type { LineOf } from '../trace/trace-line.js';
import { attemptSign, attemptTone } from './view-text.js';

/** A window of time: `width` cells of `cell` seconds, from cell number `first` on. */
export interface TimeWindow {
  readonly cell: number;
  readonly first: number;
  readonly width: number;
}

/** Returns the cell of a time, which may be outside the window. */
export function cellOf(time: number, { cell, first }: TimeWindow): number {
  return Math.floor(time / cell) - first;
}

/** Draws when a pod was Ready; it is not before it first was. */
export function readinessLane(
  { readiness, addedAt }: PodSummary,
  now: number,
  window: TimeWindow,
): Span[] {
  return Array.from({ length: window.width }, (_, index) => {
    const time = Math.min(now, (window.first + index + 0.5) * window.cell);
    if (time < addedAt || cellOf(now, window) < index) return span(' ');
    const last = readiness.findLast(({ t }) => t <= time);
    return PHASE_CELLS[last?.ready === true ? 'ready' : 'notReady'];
  });
}

/** Draws starts, TERM and ends of a container's runs, and its state between them. */
export function containerLane(
  container: ContainerView,
  addedAt: number,
  now: number,
  window: TimeWindow,
): Span[] {
  const marks = marksOf(container, window);
  return Array.from({ length: window.width }, (_, index) => {
    const mark = marks.get(index);
    if (mark !== undefined) return mark;
    const center = (window.first + index + 0.5) * window.cell;
    const time = Math.min(now, center);
    const isBeyond = cellOf(now, window) < index || time < addedAt;
    return isBeyond ? span(' ') : PHASE_CELLS[phaseAt(container, time)];
  });
}

/** Returns signs by cell; an end and a start in one cell are a restart. */
function marksOf({ runs }: ContainerView, window: TimeWindow): Map<number, Span> {
  const marks = new Map<number, Span>();
  const put = (time: number | undefined, sign: string, tone: Tone): void => {
    const index = time === undefined ? -1 : cellOf(time, window);
    if (index < 0 || index >= window.width) return;
    const isRestart = sign === 'S' && ['E', 'R'].includes(marks.get(index)?.text ?? '');
    marks.set(index, isRestart ? span('R', 'bad') : span(sign, tone));
  };
  for (const run of runs) {
    put(run.startedAt, 'S', 'strong');
    put(run.stop?.at, 'T', 'bad');
    put(run.endedAt, 'E', run.exitCode === 0 ? 'strong' : 'bad');
  }
  return marks;
}

export type ContainerPhase = keyof typeof PHASE_CELLS;

const PHASE_CELLS = {
  none: span('·', 'dim'),
  completed: span('·', 'dim'),
  ended: span('·', 'bad'),
  backOff: span('░', 'bad'),
  stopping: span('▒', 'bad'),
  notStarted: span('▂', 'warn'),
  notReady: span('▄', 'warn'),
  ready: span('█', 'good'),
} as const;

export function phaseAt({ runs, states }: ContainerView, time: number): ContainerPhase {
  const run = runs.findLast(({ startedAt, endedAt }) => (startedAt ?? endedAt ?? 0) <= time);
  if (run === undefined) return 'none';
  const { startedAt = 0, endedAt = Infinity, backOff, exitCode, stop } = run;
  if (endedAt <= time) {
    if (backOff !== undefined && backOff.since <= time) return 'backOff';
    return exitCode === 0 ? 'completed' : 'ended';
  }
  if (stop !== undefined && stop.at <= time) return 'stopping';
  const state = states.findLast(({ t }) => t <= time);
  // The status follows about a second later: until then it describes the previous run.
  if (state === undefined || state.t < startedAt) return 'notStarted';
  if (state.ready) return 'ready';
  return state.started ? 'notReady' : 'notStarted';
}

/** A sign in a cell, which shows the sign with the highest priority. */
interface Cell {
  readonly sign: string;
  readonly tone: Tone;
  readonly priority: number;
}

const EMPTY: Cell = { sign: ' ', tone: 'plain', priority: 0 };

/** Draws a probe's attempts where they end, and a line from the start of a long one. */
export function probeLane(
  probe: ProbeView,
  now: number,
  window: TimeWindow,
  cursor?: AttemptView,
): Span[] {
  const cells = Array.from({ length: window.width }, (): Cell => EMPTY);
  const put = (index: number, cell: Cell): void => {
    const current = cells[index];
    if (current !== undefined && cell.priority >= current.priority) cells[index] = cell;
  };
  const drawLine = (from: number, to: number): void => {
    const end = Math.min(window.width, cellOf(to, window));
    for (let index = Math.max(0, cellOf(from, window)); index < end; index++) {
      put(index, { sign: '─', tone: 'dim', priority: 1 });
    }
  };
  const changes = new Set(changesOf(probe.attempts));
  for (const attempt of probe.attempts) {
    const { startedAt, endedAt } = attempt;
    if (cellOf(endedAt, window) < 0) continue;
    if (endedAt - startedAt >= window.cell / 2) drawLine(startedAt, endedAt);
    put(cellOf(endedAt, window), attemptCell(attempt, changes.has(attempt), attempt === cursor));
  }
  if (probe.inFlight !== undefined) {
    drawLine(probe.inFlight.startedAt, now);
    put(cellOf(now, window), { sign: '…', tone: 'info', priority: 2 });
  }
  return cells.map(({ sign, tone }) => span(sign, tone));
}

/** An arrow marks a changed result; of several attempts in a cell, the worst is shown. */
function attemptCell(attempt: AttemptView, isChange: boolean, isCursor: boolean): Cell {
  const result = attemptSign(attempt);
  const sign = !isChange ? result : attempt.set === 'success' ? '↑' : '↓';
  const priority = isChange ? 6 : { '✓': 3, '!': 4, '✗': 5 }[result];
  return isCursor
    ? { sign, tone: 'cursor', priority: 9 }
    : { sign, tone: attemptTone(attempt), priority };
}

const CELLS_PER_MARK = 12;

/** Returns the time axis above cells, in seconds since the trace began. */
export function timeAxis({ cell, first, width }: TimeWindow): Line {
  let axis = '';
  while (axis.length < width) {
    const at = first + axis.length;
    const mark = at % CELLS_PER_MARK === 0 ? `╷${clock(at * cell)}` : ' ';
    axis += axis.length + mark.length > width ? '╷' : mark;
  }
  return line(axis, 'dim');
}

/** `0:07`, `12:30`, `1:02:03` */
function clock(seconds: number): string {
  const s = Math.floor(seconds);
  const [h, m] = [Math.floor(s / 3600), Math.floor((s % 3600) / 60)];
  const two = (n: number): string => String(n).padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s % 60)}` : `${m}:${two(s % 60)}`;
}

/** Seconds of a cell with which the axis has round times. */
const CELL_LENGTHS = [
  0.25, 0.5, 1, 1.5, 2, 2.5, 3, 4, 5, 7.5, 10, 12.5, 15, 20, 25, 30, 45, 60, 90, 120, 150, 180, 240,
  300, 450, 600, 900, 1200, 1800, 2700, 3600, 5400, 7200, 10_800, 14_400, 21_600, 43_200, 86_400,
];

/** Returns a window of at most `width` cells that shows everything from 0 on. */
export function wholeWindow(seconds: number, width: number): TimeWindow {
  const cell =
    CELL_LENGTHS.find((each) => Math.ceil(seconds / each) <= width) ??
    Math.max(1, Math.ceil(seconds / width));
  return { cell, first: 0, width: Math.max(1, Math.min(width, Math.ceil(seconds / cell))) };
}

/** Returns the attempts that changed the probe's result within their run. */
export function changesOf(attempts: readonly AttemptView[]): AttemptView[] {
  const set = attempts.filter((attempt) => attempt.set !== undefined);
  return set.filter((attempt, index) => {
    const before = set[index - 1];
    return before?.set !== attempt.set || before?.run !== attempt.run;
  });
}

const SIGNS = [
  '█ ready|▄ not ready|▂ not started|▒ TERM to end|░ back-off|· not running|S start|T TERM|E end|R restart',
  '✓ success|✗ failure|! error|↑ ↓ result changed|─ attempt in progress',
];

export function legendLines(columns: number): Line[] {
  return SIGNS.flatMap((signs) => {
    const texts = signs.split('|').map((sign) => line(sign, 'dim'));
    return flowLines(texts, columns);
  });
}

/** Attempts in a cell of which most are dropped. */
const CROWDED = 64;

/** Drops attempts that a lane does not show, where many end in the last cell. */
function thin(attempts: AttemptView[], cell: number): void {
  const indexOf = ({ endedAt }: AttemptView): number => Math.floor(endedAt / cell);
  const [crowding, last] = [attempts.at(-CROWDED), attempts.at(-1)];
  if (crowding === undefined || last === undefined || indexOf(crowding) !== indexOf(last)) return;
  const inCell = attempts.slice(attempts.findIndex((each) => indexOf(each) === indexOf(last)));
  const all = new Set(changesOf(attempts));
  const changes = inCell.filter((each) => all.has(each));
  // Changes after this cell are found by comparing with its last one, and with the first where both are the same.
  const worst = ['✗', '!', '✓'].map((sign) =>
    inCell.findLast((each) => attemptSign(each) === sign),
  );
  const kept = new Set([inCell[0], changes[0], changes.at(-1), ...worst]);
  attempts.splice(-inCell.length, inCell.length, ...inCell.filter((each) => kept.has(each)));
}

/** All attempts of a run; the summary keeps only the latest of each probe. */
export class AttemptHistory {
  readonly #pods = new Map<string, Map<string, AttemptView[]>>();

  /** Adds the attempt of a line; `summary` includes the line. Given `cell`, keeps what a lane with cells of so many seconds shows. */
  add({ pod, container, probe }: LineOf<'attemptDone'>, summary: Summary, cell?: number): void {
    const { probes } = findContainerOf(summary, { pod, container }) ?? {};
    const attempt = probes?.find(({ type }) => type === probe)?.attempts.at(-1);
    if (attempt === undefined) return;
    const ofPod = this.#pods.get(pod) ?? new Map<string, AttemptView[]>();
    const known = ofPod.get(`${container}/${probe}`) ?? [];
    this.#pods.set(pod, ofPod.set(`${container}/${probe}`, known));
    known.push(attempt);
    if (cell !== undefined) thin(known, cell);
  }

  ofPod(pod: string): ReadonlyMap<string, readonly AttemptView[]> {
    return this.#pods.get(pod) ?? new Map<string, AttemptView[]>();
  }
}
