import type { ExplainedMoment, ExplainedPod } from '../explain/explain-pod.js';
import { formatRange } from './text/duration.js';
import { xmlAttribute as text } from './text/xml.js';
import { type Axis, axisOf } from './time-axis.js';

const WIDTH = 960;
const LABEL = 260;
const RIGHT = 130;
const ROW = 22;
const TOP = 34;

/** Of each moment a bar from its earliest to its latest time, below the container that it is about. */
export function explainSvg(pods: readonly ExplainedPod[]): string {
  const rows = pods.flatMap(rowsOf);
  const axis = axisOf(rows.flatMap(({ moment }) => moment?.span ?? []));
  const height = TOP + rows.length * ROW + 12;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" font-family="sans-serif" font-size="12">`,
    `<title>Timing of the settings of ${text(pods.map(({ pod }) => pod).join(', '))}</title>`,
    '<style>text{fill:#1f2328}.grid{stroke:#d0d7de}.bar{fill:#54aeff}.edge{stroke:#0969da;stroke-width:2}.head{font-weight:bold}.note{fill:#59636e}@media(prefers-color-scheme:dark){text{fill:#f0f6fc}.grid{stroke:#3d444d}.bar{fill:#1f6feb}.edge{stroke:#79c0ff}.note{fill:#9198a1}}</style>',
    ...axisLines(axis, height),
    ...rows.map((row, index) => rowSvg(row, TOP + index * ROW, axis)),
    '</svg>\n',
  ].join('\n');
}

interface Row {
  readonly label: string;
  readonly moment?: ExplainedMoment;
}

function rowsOf({ pod, containers, ready, gone }: ExplainedPod): Row[] {
  return [
    { label: pod },
    { label: ready.topic, moment: ready },
    { label: gone.topic, moment: gone },
    ...containers.flatMap(({ name, life, failures }) => [
      { label: name },
      ...[...life, ...failures].map((moment) => ({ label: moment.topic, moment })),
    ]),
  ];
}

function x(seconds: number, { at }: Axis): number {
  return Math.round((LABEL + at(seconds) * (WIDTH - LABEL - RIGHT)) * 10) / 10;
}

function axisLines(axis: Axis, height: number): string[] {
  return axis.ticks.map((tick) => {
    const at = x(tick, axis);
    return `<line class="grid" x1="${at}" y1="${TOP - 8}" x2="${at}" y2="${height - 8}"/><text class="note" x="${at}" y="18" text-anchor="middle">${tick} s</text>`;
  });
}

function rowSvg({ label, moment }: Row, top: number, axis: Axis): string {
  const base = top + 14;
  if (moment === undefined) return `<text class="head" x="8" y="${base}">${text(label)}</text>`;
  const { span, since, why } = moment;
  const name = `<text x="20" y="${base}">${text(label)}</text>`;
  const when = span.from === Infinity ? 'Never' : `${formatRange(span)} after ${since}`;
  const tip = `<title>${text(`${when}. ${why}`)}</title>`;
  if (span.from === Infinity) {
    return `<g>${tip}${name}<text class="note" x="${LABEL}" y="${base}">never</text></g>`;
  }
  const [from, to] = [x(span.from, axis), x(span.to, axis)];
  const bar = `<rect class="bar" x="${from}" y="${top + 4}" width="${Math.round((to - from) * 10) / 10}" height="12"/>`;
  const edges = [from, to]
    .map((at) => `<line class="edge" x1="${at}" y1="${top + 2}" x2="${at}" y2="${top + 18}"/>`)
    .join('');
  return `<g>${tip}${name}${bar}${edges}<text class="note" x="${to + 6}" y="${base}">${text(formatRange(span))}</text></g>`;
}
