import { xmlAttribute as text } from '../text/xml.js';
import { wholeWindow } from '../timeline/lanes.js';
import { replicaRows, type ReplicasTimeline, type Row } from './replicas-timeline.js';

const WIDTH = 960;
const LEFT = 130;
const RIGHT = 30;
const LANE = 56;
const TOP = 44;
const CELLS = 400;

const COLORS: Readonly<Record<string, string>> = {
  'old, ready': '#54aeff',
  'new, ready': '#2da44e',
  starting: '#d4a72c',
  'not ready': '#cf222e',
  terminating: '#8c959f',
  'ready endpoints': '#8250df',
  'failed requests': '#cf222e',
};

/** One step chart a row, over one axis of time. */
export function replicasSvg(title: string, timeline: ReplicasTimeline): string {
  const window = wholeWindow(timeline.seconds, CELLS);
  const rows = replicaRows(timeline, window);
  const height = TOP + rows.length * LANE + 12;
  const seconds = window.width * window.cell;
  const x = (at: number): number => rounded(LEFT + (at / seconds) * (WIDTH - LEFT - RIGHT));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" font-family="sans-serif" font-size="12">`,
    `<title>${text(title)}</title>`,
    '<style>text{fill:#1f2328}.grid{stroke:#d0d7de}.note{fill:#59636e}@media(prefers-color-scheme:dark){text{fill:#f0f6fc}.grid{stroke:#3d444d}.note{fill:#9198a1}}</style>',
    `<text x="8" y="16" font-weight="bold">${text(title)}</text>`,
    ...ticks(seconds).map((at) => {
      const place = x(at);
      return `<line class="grid" x1="${place}" y1="${TOP - 6}" x2="${place}" y2="${height - 8}"/><text class="note" x="${place}" y="${TOP - 12}" text-anchor="middle">${at} s</text>`;
    }),
    ...rows.map((row, index) => lane(row, TOP + index * LANE, (cell) => x(cell * window.cell))),
    '</svg>\n',
  ].join('\n');
}

function ticks(seconds: number): number[] {
  const step =
    [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600].find((each) => seconds / each <= 10) ??
    seconds;
  return Array.from({ length: Math.floor(seconds / step) + 1 }, (_, index) => index * step);
}

function lane({ name, cells }: Row, top: number, x: (cell: number) => number): string {
  const most = Math.max(1, ...cells);
  const y = (value: number): number => rounded(top + LANE - 8 - (value / most) * (LANE - 16));
  const steps = cells.map((value, index) => `V${y(value)}H${x(index + 1)}`).join('');
  const color = COLORS[name] ?? '#57606a';
  return [
    `<g><title>${text(`${name}: at most ${most}`)}</title>`,
    `<text x="8" y="${top + 26}">${text(name)}</text><text class="note" x="8" y="${top + 41}">max ${most}</text>`,
    `<path fill="${color}" fill-opacity="0.35" stroke="${color}" d="M${x(0)} ${y(0)}${steps}V${y(0)}Z"/></g>`,
  ].join('');
}

function rounded(number: number): number {
  return Math.round(number * 10) / 10;
}
