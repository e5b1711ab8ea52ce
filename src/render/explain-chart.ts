import type {
  ExplainedContainer,
  ExplainedMoment,
  ExplainedPod,
  ExplainedProbe,
} from '../explain/explain-pod.js';
import type { Span as TimeSpan } from '../explain/probe-times.js';
import type { BackOffStep } from '../explain/restarts.js';
import { rolloutText } from './explain-rollout-text.js';
import { handlerText, settingsText } from './probe-text.js';
import { formatRange } from './text/duration.js';
import { clipLine, hangingRows, type Line, span } from './text/line.js';
import { type Axis, axisOf } from './time-axis.js';

/** Columns of a moment's name and of its times; the bars are in between. */
const NAME = 28;
const TIMES = 16;

/** A chart of the times that a pod's settings lead to, and its probes' settings, in lines of at most so many columns. */
export function explainChart(
  { pod, ready, gone, rollout, containers }: ExplainedPod,
  columns: number,
): Line[] {
  const all = [ready, gone, ...containers.flatMap(({ life, failures }) => [...life, ...failures])];
  const axis = axisOf(all.map((moment) => moment.span));
  const chart = { axis, width: Math.max(20, columns - NAME - TIMES) };
  return [
    ...heading(pod, ticks(chart), columns),
    momentRow(ready, chart),
    momentRow(gone, chart),
    ...(rollout === undefined
      ? []
      : hangingRows(span('  rollout'.padEnd(NAME)), rolloutText(rollout), columns)),
    ...containers.flatMap((container) => [[], ...containerRows(container, chart, columns)]),
  ];
}

/** The pod's name beside the scale, or above it where it is long. */
function heading(pod: string, scale: string, columns: number): Line[] {
  const name = span(pod.padEnd(NAME), 'strong');
  if (pod.length < NAME) return [clipLine([name, span(scale, 'dim')], columns)];
  return [clipLine([name], columns), [span(' '.repeat(NAME)), span(scale, 'dim')]];
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
  { name, role, life, failures, probes, backOff }: ExplainedContainer,
  chart: Chart,
  columns: number,
): Line[] {
  return [
    [span(name, 'strong'), span(role === 'container' ? '' : ` (${role})`)],
    ...probes.map((probe) => probeRow(probe, columns)),
    ...[...life, ...failures].map((moment) => momentRow(moment, chart)),
    ...backOffRows(backOff, columns),
  ];
}

function probeRow({ type, probe }: ExplainedProbe, columns: number): Line {
  const text = `${handlerText(probe)}, ${settingsText(probe)}`;
  return clipLine([span(`  ${type}`.padEnd(NAME)), span(text, 'dim')], columns);
}

function momentRow({ topic, span: times }: ExplainedMoment, chart: Chart): Line {
  const name = span(`  ${topic}`.padEnd(NAME));
  if (times.from === Infinity) return [name, span('never', 'dim')];
  const { before, bar } = barOf(times, chart);
  return [
    name,
    span(' '.repeat(before)),
    span('█'.repeat(bar), 'info'),
    span(' '.repeat(chart.width - before - bar)),
    span(` ${formatRange(times)}`),
  ];
}

/** The columns before a bar, and those of the bar, which has at least one. */
function barOf({ from, to }: TimeSpan, { axis, width }: Chart): { before: number; bar: number } {
  const [first, last] = [from, to].map((time) => Math.round(axis.at(time) * (width - 1)));
  return { before: first ?? 0, bar: (last ?? 0) - (first ?? 0) + 1 };
}

/** The axis's labels, those that have room. */
function ticks({ axis, width }: Chart): string {
  let row = '';
  for (const tick of axis.ticks) {
    const at = Math.round(axis.at(tick) * (width - 1));
    if (row === '' || at > row.length) row = `${row.padEnd(at)}${tick}`;
  }
  return `${row} s`;
}

/** The first delays and the longest. */
function backOffRows(steps: readonly BackOffStep[], columns: number): Line[] {
  const delays = [...new Set(steps.map(({ exited }) => formatRange(exited.span)))];
  const longest = delays.pop();
  if (longest === undefined) return [];
  const text = `${delays.slice(0, 4).join(', ')} … ${longest} after each exit`;
  return hangingRows(span('  back-off'.padEnd(NAME)), text, columns);
}
