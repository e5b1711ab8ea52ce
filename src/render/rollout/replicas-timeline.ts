import type { Counts, ReplicaPoint } from '../../rollout/recorder.js';
import { thousands } from '../text/count.js';
import { fitLine, type Line, line, span, type Tone } from '../text/line.js';
import { timeAxis, type TimeWindow, wholeWindow } from '../timeline/lanes.js';

export interface ReplicasTimeline {
  readonly points: readonly ReplicaPoint[];
  readonly seconds: number;
  readonly failedBySecond?: ReadonlyMap<number, number> | undefined;
}

/** Values of one row, one a cell. */
export interface Row {
  readonly name: string;
  readonly tone: Tone;
  readonly cells: readonly number[];
  /** First and last value, or the extreme. */
  readonly note: string;
}

const LABEL = 16;
const FAILED = 'failed requests';
const BARS = ' ▁▂▃▄▅▆▇█';

const ROWS: readonly {
  readonly name: string;
  readonly tone: Tone;
  readonly of: (point: ReplicaPoint) => number;
  /** The value of a cell with several: the worst. */
  readonly worst: (...values: number[]) => number;
}[] = [
  { name: 'old, ready', tone: 'info', of: (point) => point.old.ready, worst: Math.min },
  { name: 'new, ready', tone: 'good', of: (point) => point.new.ready, worst: Math.min },
  {
    name: 'starting',
    tone: 'warn',
    of: (point) => sum(point, 'starting', 'pending'),
    worst: Math.max,
  },
  {
    name: 'not ready',
    tone: 'bad',
    of: (point) => sum(point, 'notReady'),
    worst: Math.max,
  },
  {
    name: 'terminating',
    tone: 'dim',
    of: (point) => sum(point, 'terminating', 'ended'),
    worst: Math.max,
  },
  { name: 'ready endpoints', tone: 'plain', of: (point) => point.endpoints, worst: Math.min },
];

function sum(point: ReplicaPoint, ...states: readonly (keyof Counts)[]): number {
  return states.reduce((all, state) => all + point.old[state] + point.new[state], 0);
}

/** Returns one of the points as a text: `5 old ready, 0 new ready, 1 starting, 5 ready endpoints`. */
export function replicasText(point: ReplicaPoint, points: readonly ReplicaPoint[]): string {
  const hasEndpoints = points.some(({ endpoints }) => endpoints > 0);
  return ROWS.filter(
    ({ name, of }) =>
      of(point) > 0 || name.includes(',') || (name === 'ready endpoints' && hasEndpoints),
  )
    .map(({ name, of }) => `${of(point)} ${name.replace(',', '')}`)
    .join(', ');
}

/** Returns the rows that are not empty. */
export function replicaRows(timeline: ReplicasTimeline, window: TimeWindow): readonly Row[] {
  const { points, failedBySecond = new Map<number, number>() } = timeline;
  const rows = ROWS.map(({ name, tone, of, worst }) => ({
    name,
    tone,
    cells: cellsOf(points, window, of, worst),
    note: noteOf(points.map(of), name.includes(','), worst),
  }));
  const failed = {
    name: FAILED,
    tone: 'bad' as const,
    cells: failedCells(failedBySecond, window),
    note: thousands([...failedBySecond.values()].reduce((all, count) => all + count, 0)),
  };
  return [...rows, failed].filter(({ cells }) => cells.some((value) => value > 0));
}

function noteOf(
  values: readonly number[],
  changes: boolean,
  worst: (...values: number[]) => number,
): string {
  if (changes) return `${values[0] ?? 0} → ${values.at(-1) ?? 0}`;
  return `${worst === Math.min ? 'min' : 'max'} ${values.length === 0 ? 0 : worst(...values)}`;
}

function cellsOf(
  points: readonly ReplicaPoint[],
  { cell, first, width }: TimeWindow,
  of: (point: ReplicaPoint) => number,
  worst: (...values: number[]) => number,
): number[] {
  let at = 0;
  return Array.from({ length: width }, (_, index) => {
    const end = (first + index + 1) * cell;
    const begin = points[at];
    const values = begin === undefined ? [] : [of(begin)];
    for (let next = points[at + 1]; next !== undefined && next.t < end; next = points[at + 1]) {
      values.push(of(next));
      at++;
    }
    return values.length === 0 ? 0 : worst(...values);
  });
}

function failedCells(bySecond: ReadonlyMap<number, number>, window: TimeWindow): number[] {
  const cells = Array.from({ length: window.width }, () => 0);
  for (const [second, count] of bySecond) {
    const index = Math.min(window.width - 1, Math.floor(second / window.cell) - window.first);
    if (index >= 0) cells[index] = (cells[index] ?? 0) + count;
  }
  return cells;
}

/** Replicas by state over time, ready endpoints and failed requests. */
export function replicasTimelineLines(timeline: ReplicasTimeline, columns: number): Line[] {
  const window = wholeWindow(timeline.seconds, Math.max(10, columns - LABEL - 10));
  const rows = replicaRows(timeline, window);
  const pods = timeline.points.reduce(
    (most, point) => Math.max(most, ...ROWS.map(({ of }) => of(point))),
    1,
  );
  return [
    [span(' '.repeat(LABEL), 'dim'), ...timeAxis(window)],
    ...rows.map((row): Line => {
      const most = row.name === FAILED ? Math.max(1, ...row.cells) : pods;
      const bars = row.cells.map((value) => bar(value, most)).join('');
      return [...fitLine(line(row.name), LABEL), span(bars, row.tone), span(` ${row.note}`, 'dim')];
    }),
  ];
}

function bar(value: number, most: number): string {
  return BARS[value === 0 ? 0 : Math.max(1, Math.round((value / most) * (BARS.length - 1)))] ?? ' ';
}
