import { handlerText, settingsText } from '../../report/probe-text.js';
import { type Axis, axisOf } from '../../report/time-axis.js';
import type {
  ExplainedContainer,
  ExplainedMoment,
  ExplainedPod,
} from '../../schedule/explain-pod.js';
import type { BackOffStep } from '../../schedule/restarts.js';
import { formatRange } from '../../text/duration.js';
import { clipLine, hangingRows, type Line, span } from '../../text/line.js';
import { escapeXml } from '../../text/xml.js';
import type { ExplainedWorkload } from './explain-rollout.js';
import { rolloutText } from './explain-text.js';

/** Columns of a moment's name and of its times; the bars are between them. */
const NAME_COLUMNS = 28;
const TIME_COLUMNS = 16;

/** Returns a chart of the times that follow from a pod's settings. */
export function explainChart(
  { pod, ready, gone, rollout, containers }: ExplainedWorkload,
  columns: number,
): Line[] {
  const all = [ready, gone, ...containers.flatMap(({ life, failures }) => [...life, ...failures])];
  const axis = axisOf(all.map((moment) => moment.span));
  const chart = { axis, width: Math.max(20, columns - NAME_COLUMNS - TIME_COLUMNS) };
  return [
    ...heading(pod, ticks(chart), columns),
    momentRow(ready, chart),
    momentRow(gone, chart),
    ...(rollout === undefined
      ? []
      : hangingRows(span('  rollout'.padEnd(NAME_COLUMNS)), rolloutText(rollout), columns)),
    ...containers.flatMap((container) => [[], ...containerRows(container, chart, columns)]),
  ];
}

/** Returns the pod's name beside the scale, or above it where the name is long. */
function heading(pod: string, scale: string, columns: number): Line[] {
  const name = span(pod.padEnd(NAME_COLUMNS), 'strong');
  if (pod.length < NAME_COLUMNS) return [clipLine([name, span(scale, 'dim')], columns)];
  return [clipLine([name], columns), [span(' '.repeat(NAME_COLUMNS)), span(scale, 'dim')]];
}

export function chartNote(columns: number): Line[] {
  const note =
    'Seconds from what each name says: the start, the exit, the hang. A bar goes from the earliest to the latest time. --long gives the reasons and the fields.';
  return hangingRows(span(''), note, columns, 'dim');
}

interface Chart {
  readonly axis: Axis;
  readonly width: number;
}

function containerRows(
  { name, role, ports, life, failures, probes, backOff }: ExplainedContainer,
  chart: Chart,
  columns: number,
): Line[] {
  return [
    [span(name, 'strong'), span(role === 'container' ? '' : ` (${role})`)],
    ...probes.map(({ type, probe }) => {
      const text = `${handlerText(probe, { ports })}, ${settingsText(probe)}`;
      return clipLine([span(`  ${type}`.padEnd(NAME_COLUMNS)), span(text, 'dim')], columns);
    }),
    ...[...life, ...failures].map((moment) => momentRow(moment, chart)),
    ...backOffRows(backOff, columns),
  ];
}

function momentRow({ topic, span: times }: ExplainedMoment, chart: Chart): Line {
  const name = span(`  ${topic}`.padEnd(NAME_COLUMNS));
  if (times.from === Infinity) return [name, span('never', 'dim')];
  const { axis, width } = chart;
  const [before = 0, last = 0] = [times.from, times.to].map((time) =>
    Math.round(axis.at(time) * (width - 1)),
  );
  const bar = Math.max(1, last - before + 1);
  return [
    name,
    span(' '.repeat(before)),
    span('█'.repeat(bar), 'info'),
    span(' '.repeat(width - before - bar)),
    span(` ${formatRange(times)}`),
  ];
}

function ticks({ axis, width }: Chart): string {
  let row = '';
  for (const tick of axis.ticks) {
    const at = Math.round(axis.at(tick) * (width - 1));
    if (row === '' || at > row.length) row = `${row.padEnd(at)}${tick}`;
  }
  return `${row} s`;
}

function backOffRows(steps: readonly BackOffStep[], columns: number): Line[] {
  const delays = [...new Set(steps.map(({ exited }) => formatRange(exited.span)))];
  const maxDelay = delays.pop();
  if (maxDelay === undefined) return [];
  const text = `${delays.slice(0, 4).join(', ')} … ${maxDelay} after each exit`;
  return hangingRows(span('  back-off'.padEnd(NAME_COLUMNS)), text, columns);
}

const WIDTH = 960;
const LABEL = 260;
const RIGHT = 130;
const ROW = 22;
const TOP = 34;

/** Draws a bar from the earliest to the latest time of each moment, below its container. */
export function explainSvg(pods: readonly ExplainedPod[]): string {
  const rows = pods.flatMap(rowsOf);
  const axis = axisOf(rows.flatMap(({ moment }) => moment?.span ?? []));
  const height = TOP + rows.length * ROW + 12;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" font-family="sans-serif" font-size="12">`,
    `<title>Timing of the settings of ${escapeXml(pods.map(({ pod }) => pod).join(', '))}</title>`,
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
  if (moment === undefined)
    return `<text class="head" x="8" y="${base}">${escapeXml(label)}</text>`;
  const { span, since, reason } = moment;
  const name = `<text x="20" y="${base}">${escapeXml(label)}</text>`;
  const when = span.from === Infinity ? 'Never' : `${formatRange(span)} after ${since}`;
  const tip = `<title>${escapeXml(`${when}. ${reason}`)}</title>`;
  if (span.from === Infinity) {
    return `<g>${tip}${name}<text class="note" x="${LABEL}" y="${base}">never</text></g>`;
  }
  const [from, to] = [x(span.from, axis), x(span.to, axis)];
  const bar = `<rect class="bar" x="${from}" y="${top + 4}" width="${Math.round((to - from) * 10) / 10}" height="12"/>`;
  const edges = [from, to]
    .map((at) => `<line class="edge" x1="${at}" y1="${top + 2}" x2="${at}" y2="${top + 18}"/>`)
    .join('');
  return `<g>${tip}${name}${bar}${edges}<text class="note" x="${to + 6}" y="${base}">${escapeXml(formatRange(span))}</text></g>`;
}
