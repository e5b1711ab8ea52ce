import { probeOf } from '../../../kubelet/prober/probe-of.js';
import { forecastProbe, type ProbeForecast } from '../../../trace/forecast/probe-forecast.js';
import { type ContainerView, hasDied, lastLines } from '../../../trace/summary/container-view.js';
import { percentile } from '../../../trace/summary/histogram.js';
import { type ProbeView, verdictOfAttempt } from '../../../trace/summary/probe-view.js';
import type { PodSummary } from '../../../trace/summary/summary.js';
import { resultLine } from '../../attempt-result.js';
import { hintFor } from '../../hints/hint-for.js';
import { handlerText } from '../../probe-text.js';
import { countdown, formatLatency } from '../../text/duration.js';
import { type Line, line, span, textWidth, type Tone, wrapText } from '../../text/line.js';
import { type Column, columnWidths, tableRow } from '../../text/table.js';
import { runLine, sparkline } from '../format.js';
import { type RowTarget, rowTargets } from '../selection.js';
import type { About } from '../state.js';
import { containerLine } from './container-line.js';

/** A row of the pod view; what can be chosen has an id. */
export interface TableRow {
  readonly id?: string;
  readonly line: Line;
}

export interface TableOptions {
  readonly filter: string;
  /** The id of the row under the cursor. */
  readonly chosen: string | undefined;
  readonly width: number;
}

export interface PodTable {
  /** Undefined where no probe is shown. */
  readonly headings: Line | undefined;
  readonly rows: readonly TableRow[];
}

const INDENT = '  ';
/** Before what is said of a probe, and before what goes on below. */
const SAID = `${INDENT}  ↳ `;
/** So many lines of a run that died are shown. */
const LAST_LINES = 2;
/** So many rows a hint may take. */
const MAX_HINT_ROWS = 2;

export function podTable(
  pod: PodSummary,
  now: number,
  about: About,
  { filter, chosen, width }: TableOptions,
): PodTable {
  const widths = columnWidths(PROBE_COLUMNS, width - INDENT.length);
  const headings = tableRow(PROBE_HEADINGS, PROBE_COLUMNS, widths);
  const targets = rowTargets(pod, filter);
  const rows = targets.flatMap((target) => {
    const isChosen = target.id === chosen;
    return target.probe === undefined
      ? [containerRow(pod, target, isChosen, now, about), ...lastWords(target, width)]
      : [
          probeRow(target, target.probe, isChosen, widths, now),
          ...complaint(target, about.hints, width),
        ];
  });
  const hasProbes = targets.some(({ probe }) => probe !== undefined);
  return { headings: hasProbes ? [span(INDENT), ...headings] : undefined, rows };
}

function containerRow(
  pod: PodSummary,
  { id, container }: RowTarget,
  isChosen: boolean,
  now: number,
  about: About,
): TableRow {
  const simulated = about.isSimulated(pod.key, container.name);
  return { id, line: containerLine(pod, container, now, simulated, isChosen) };
}

/** What the latest run that died wrote last. */
function lastWords({ container }: RowTarget, width: number): TableRow[] {
  const run = container.runs.findLast(hasDied);
  const lines = lastLines(container, run, LAST_LINES).map(({ text }) => text.trim());
  if (run === undefined || lines.length === 0) return [];
  const isOld = run !== container.runs.at(-1);
  return remark(`run ${run.run} wrote last: ${lines.join(' ⏎ ')}`, isOld ? 'dim' : 'bad', width, 1);
}

function probeRow(
  { id, container }: RowTarget,
  probe: ProbeView,
  isChosen: boolean,
  widths: readonly number[],
  now: number,
): TableRow {
  const forecast = forecastProbe(container, probe, now);
  const cells = probeCells(isChosen, container, probe, forecast, widths, now);
  const own = tableRow(cells, PROBE_COLUMNS, widths);
  return { id, line: [span(isChosen ? '▸ ' : INDENT, 'info'), ...own] };
}

/** What a probe that fails says, and what may be behind it, below it. */
function complaint({ container, probe }: RowTarget, hints: boolean, width: number): TableRow[] {
  const last = probe?.attempts.at(-1);
  if (probe === undefined || last === undefined || verdictOfAttempt(last) === 'success') return [];
  const isOld = last.run !== (container.runs.at(-1)?.run ?? last.run);
  const said = (last.error ?? last.output).trim().split('\n')[0] ?? '';
  if (isOld) return remark(`in run ${last.run}: ${said}`, 'dim', width, 1);
  const hint = hints ? hintFor({ container, probe }, last) : undefined;
  return [...remark(said, 'bad', width, 1), ...remark(hint ?? '', 'info', width, MAX_HINT_ROWS)];
}

/** In at most so many rows; what is longer is cut off. */
function remark(text: string, tone: Tone, width: number, most: number): TableRow[] {
  if (text === '') return [];
  const room = width - textWidth(SAID);
  const rows = wrapText(text, room);
  const shown =
    rows.length <= most ? rows : [...rows.slice(0, most - 1), rows.slice(most - 1).join(' ')];
  return shown.map((row, index) => ({
    line: [span(index === 0 ? SAID : ' '.repeat(textWidth(SAID)), 'dim'), span(row, tone)],
  }));
}

/** The columns of the probe table, in the order of `probeCells`. */
export const PROBE_COLUMNS: readonly Column[] = [
  { min: 9, max: 9, worth: 10 },
  { min: 18, max: 44, worth: 5, weight: 4 },
  { min: 9, max: 11, worth: 9 },
  { min: 17, max: 20, worth: 8, weight: 2 },
  { min: 6, max: 7, worth: 7, align: 'right' },
  { min: 3, max: 6, worth: 3, align: 'right' },
  { min: 3, max: 6, worth: 4, align: 'right' },
  { min: 6, max: 6, worth: 2, align: 'right' },
  { min: 8, max: 24, worth: 1 },
  { min: 10, max: 11, worth: 0 },
];

export const PROBE_HEADINGS: readonly Line[] = [
  'PROBE',
  'HANDLER',
  'LAST',
  'RUN',
  'NEXT',
  '✓',
  '✗',
  'TOOK',
  'LATELY',
  'P99',
].map((heading) => line(heading, 'dim'));

/** Which of them shows bars. */
const BARS = 8;

/** One probe as cells: kind, handler, last result, run, next attempt, counters, latency. */
export function probeCells(
  isChosen: boolean,
  container: ContainerView,
  probe: ProbeView,
  forecast: ProbeForecast,
  widths: readonly number[],
  now: number,
): Line[] {
  const spec = probeOf(container.spec, probe.type);
  const last = probe.attempts.at(-1);
  const bad = probe.failures + probe.errors;
  const p99 = percentile(probe.latencies, 99);
  return [
    line(probe.type, isChosen ? 'cursor' : 'plain'),
    line(spec === undefined ? '' : handlerText(spec, container.spec)),
    probe.inFlight === undefined ? lastLine(probe) : line('trying …', 'info'),
    runLine(probe, forecast),
    nextLine(probe, forecast, now),
    line(`${probe.successes}`, probe.successes > 0 ? 'good' : 'dim'),
    line(`${bad}`, bad > 0 ? 'bad' : 'dim'),
    last === undefined ? line('–', 'dim') : line(formatLatency(last.latency)),
    latencies(probe, widths[BARS] ?? 0),
    p99 === undefined ? [] : line(`p99 ${formatLatency(p99)}`, 'dim'),
  ];
}

function lastLine(probe: ProbeView): Line {
  const last = probe.attempts.at(-1);
  return last === undefined ? line('–', 'dim') : resultLine(last);
}

function nextLine(probe: ProbeView, { nextAttempt }: ProbeForecast, now: number): Line {
  if (probe.inFlight !== undefined) return line('now', 'info');
  return nextAttempt === undefined ? line('–', 'dim') : line(countdown(nextAttempt - now));
}

/** The latest latencies as bars; those of failed attempts stand out. */
function latencies({ attempts }: ProbeView, width: number): Line {
  if (width === 0) return [];
  const latest = attempts.slice(-width);
  const bars = sparkline(
    latest.map((attempt) => attempt.latency),
    width,
  );
  return latest.map((attempt, index) =>
    span(bars[index] ?? '', verdictOfAttempt(attempt) === 'success' ? 'info' : 'bad'),
  );
}
