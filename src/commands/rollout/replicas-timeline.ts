import { timeAxis, type TimeWindow, wholeWindow } from '../../report/lanes.js';
import { roundStep, ticksOf } from '../../report/time-axis.js';
import type { Counts, RolloutPoint } from '../../rollout/recorder.js';
import { thousands } from '../../text/count.js';
import { fitLine, type Line, line, span, type Tone } from '../../text/line.js';
import { escapeXml } from '../../text/xml.js';

export interface ReplicasTimeline {
  readonly points: readonly RolloutPoint[];
  readonly seconds: number;
  readonly failedBySecond?: ReadonlyMap<number, number> | undefined;
}

interface RowStyle {
  readonly name: string;
  readonly tone: Tone;
}

interface Row extends RowStyle {
  readonly cells: readonly number[];
  /** First and last value, or the worst. */
  readonly note: string;
  /** The value of the highest bar; absent for replicas, which share one. */
  readonly max?: number;
}

const LABEL = 16;
const BARS = ' ▁▂▃▄▅▆▇█';
const FAILED: RowStyle = { name: 'failed requests', tone: 'bad' };

interface ReplicaRow extends RowStyle {
  readonly kind: 'version' | 'state' | 'endpoints';
  readonly of: (point: RolloutPoint) => number;
}

const ROWS: readonly ReplicaRow[] = [
  { kind: 'version', name: 'old, ready', tone: 'info', of: (point) => point.old.ready },
  { kind: 'version', name: 'new, ready', tone: 'good', of: (point) => point.new.ready },
  {
    kind: 'state',
    name: 'starting',
    tone: 'warn',
    of: (point) => sum(point, 'starting', 'pending'),
  },
  { kind: 'state', name: 'not ready', tone: 'bad', of: (point) => sum(point, 'notReady') },
  {
    kind: 'state',
    name: 'terminating',
    tone: 'dim',
    of: (point) => sum(point, 'terminating', 'ended'),
  },
  { kind: 'endpoints', name: 'ready endpoints', tone: 'plain', of: (point) => point.endpoints },
];

function sum(point: RolloutPoint, ...states: readonly (keyof Counts)[]): number {
  return states.reduce((all, state) => all + point.old[state] + point.new[state], 0);
}

/** Returns a point as a text: `5 old ready, 0 new ready, 1 starting, 5 ready endpoints`. */
export function replicasText(point: RolloutPoint, hasEndpoints: boolean): string {
  return ROWS.filter(
    ({ kind, of }) => of(point) > 0 || kind === 'version' || (kind === 'endpoints' && hasEndpoints),
  )
    .map(({ name, of }) => `${of(point)} ${name.replace(',', '')}`)
    .join(', ');
}

function replicaRows(timeline: ReplicasTimeline, window: TimeWindow): readonly Row[] {
  const { points, failedBySecond = new Map<number, number>() } = timeline;
  const rows = ROWS.map((row): Row => {
    const cells = cellsOf(points, window, row);
    return { ...row, cells, note: noteOf(points.map(row.of), row.kind) };
  });
  const cells = failedCells(failedBySecond, window);
  const note = thousands([...failedBySecond.values()].reduce((all, count) => all + count, 0));
  const failed: Row = { ...FAILED, cells, note, max: Math.max(1, ...cells) };
  return [...rows, failed].filter(({ cells }) => cells.some((value) => value > 0));
}

function noteOf(values: readonly number[], kind: ReplicaRow['kind']): string {
  if (kind === 'version') return `${values[0] ?? 0} → ${values.at(-1) ?? 0}`;
  return `${kind === 'state' ? 'max' : 'min'} ${worstOf(values, kind)}`;
}

/** Returns the most pods in a state, or else the fewest that are ready. */
function worstOf(values: readonly number[], kind: ReplicaRow['kind']): number {
  if (values.length === 0) return 0;
  return kind === 'state' ? Math.max(...values) : Math.min(...values);
}

function cellsOf(
  points: readonly RolloutPoint[],
  { cell, first, width }: TimeWindow,
  { of, kind }: ReplicaRow,
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
    return worstOf(values, kind);
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

/** Draws replicas by state, ready endpoints and failed requests over time. */
export function replicasTimelineLines(timeline: ReplicasTimeline, columns: number): Line[] {
  const window = wholeWindow(timeline.seconds, Math.max(10, columns - LABEL - 10));
  const rows = replicaRows(timeline, window);
  const pods = timeline.points.reduce(
    (max, point) => Math.max(max, ...ROWS.map(({ of }) => of(point))),
    1,
  );
  return [
    [span(' '.repeat(LABEL), 'dim'), ...timeAxis(window)],
    ...rows.map((row): Line => {
      const bars = row.cells.map((value) => bar(value, row.max ?? pods)).join('');
      return [...fitLine(line(row.name), LABEL), span(bars, row.tone), span(` ${row.note}`, 'dim')];
    }),
  ];
}

function bar(value: number, max: number): string {
  return BARS[value === 0 ? 0 : Math.max(1, Math.round((value / max) * (BARS.length - 1)))] ?? ' ';
}

const WIDTH = 960;
const LEFT = 130;
const RIGHT = 30;
const LANE = 56;
const TOP = 44;
const CELLS = 400;

const COLORS: Readonly<Partial<Record<Tone, string>>> = {
  info: '#54aeff',
  good: '#2da44e',
  warn: '#d4a72c',
  bad: '#cf222e',
  dim: '#8c959f',
  plain: '#8250df',
};

/** Draws a step chart per row over one time axis. */
export function replicasSvg(title: string, timeline: ReplicasTimeline): string {
  const window = wholeWindow(timeline.seconds, CELLS);
  const rows = replicaRows(timeline, window);
  const height = TOP + rows.length * LANE + 12;
  const seconds = window.width * window.cell;
  const x = (at: number): number => rounded(LEFT + (at / seconds) * (WIDTH - LEFT - RIGHT));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" font-family="sans-serif" font-size="12">`,
    `<title>${escapeXml(title)}</title>`,
    '<style>text{fill:#1f2328}.grid{stroke:#d0d7de}.note{fill:#59636e}@media(prefers-color-scheme:dark){text{fill:#f0f6fc}.grid{stroke:#3d444d}.note{fill:#9198a1}}</style>',
    `<text x="8" y="16" font-weight="bold">${escapeXml(title)}</text>`,
    ...ticksOf(0, seconds, roundStep(seconds, [...STEPS, seconds], 10)).map((at) => {
      const place = x(at);
      return `<line class="grid" x1="${place}" y1="${TOP - 6}" x2="${place}" y2="${height - 8}"/><text class="note" x="${place}" y="${TOP - 12}" text-anchor="middle">${at} s</text>`;
    }),
    ...rows.map((row, index) => lane(row, TOP + index * LANE, (cell) => x(cell * window.cell))),
    '</svg>\n',
  ].join('\n');
}

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600];

function lane({ name, tone, cells }: Row, top: number, x: (cell: number) => number): string {
  const max = Math.max(1, ...cells);
  const y = (value: number): number => rounded(top + LANE - 8 - (value / max) * (LANE - 16));
  const steps = cells.map((value, index) => `V${y(value)}H${x(index + 1)}`).join('');
  const color = COLORS[tone] ?? '#57606a';
  return [
    `<g><title>${escapeXml(`${name}: at most ${max}`)}</title>`,
    `<text x="8" y="${top + 26}">${escapeXml(name)}</text><text class="note" x="8" y="${top + 41}">max ${max}</text>`,
    `<path fill="${color}" fill-opacity="0.35" stroke="${color}" d="M${x(0)} ${y(0)}${steps}V${y(0)}Z"/></g>`,
  ].join('');
}

function rounded(number: number): number {
  return Math.round(number * 10) / 10;
}
