import { probeOf } from '../../../kubelet/prober/probe-of.js';
import { forecastProbe } from '../../../trace/forecast/probe-forecast.js';
import { hasDied, lastLines } from '../../../trace/summary/container-view.js';
import { percentile } from '../../../trace/summary/histogram.js';
import { type ProbeView, verdictOfAttempt } from '../../../trace/summary/probe-view.js';
import type { PodSummary } from '../../../trace/summary/summary.js';
import { resultLine } from '../../attempt-result.js';
import { hintFor } from '../../hints.js';
import { handlerText } from '../../probe-text.js';
import { countdown, formatLatency } from '../../text/duration.js';
import { type Line, line, span, textWidth, type Tone, wrapText } from '../../text/line.js';
import { type Column, columnWidths, tableRow } from '../../text/table.js';
import { matches, runLine, sparkline } from '../format.js';
import { choose } from '../keys.js';
import { chosenTarget, podInView, type RowTarget, rowTargets } from '../selection.js';
import { type Snapshot, withChosen } from '../state.js';
import { containerLine } from './container-line.js';
import { eventRows, eventTable } from './events-view.js';
import { OUTLOOK_FRAME, outlookRows, outlooks } from './outlook.js';
import type { View, ViewKind } from './view.js';

/** Rows that the events get at least, their heading included, and the outlook at most. */
const MIN_EVENTS = 4;
const MAX_OUTLOOK = 8;
/** Below this height the table is all there is. */
const TABLE_ONLY = 9;

export const podView: ViewKind = {
  title: () => '',
  show(snapshot, height) {
    const pod = podInView(snapshot);
    return pod === undefined
      ? { head: [line('starting …', 'dim')] }
      : showPod(pod, snapshot, height);
  },
  press(snapshot, key) {
    const { ui, size } = snapshot;
    const pod = podInView(snapshot);
    if (pod === undefined) return undefined;
    const ids = rowTargets(pod, ui.filter).map(({ id }) => id);
    const id = choose(ids, chosenTarget(pod, snapshot)?.id, key, size.rows / 3);
    return id === undefined ? undefined : { ui: withChosen(ui, pod.key, id) };
  },
  keys: [
    { key: 'enter', word: 'attempt', sentence: "show the chosen probe's latest attempt" },
    { key: 't', word: 'probe now', sentence: 'run the chosen probe now', isLive: true },
    { key: 'd', word: 'describe', sentence: 'show all settings and counters of the chosen row' },
    { key: 'x', word: 'explain', sentence: "explain the chosen probe's timing" },
    { key: 'r', word: 'restart', sentence: 'restart the chosen container', isLive: true },
    { key: 'j k', word: 'choose', sentence: 'choose a container or probe' },
  ],
};

function showPod(pod: PodSummary, snapshot: Snapshot, height: number): View {
  const { now, about, ui, size } = snapshot;
  const chosen = chosenTarget(pod, snapshot)?.id;
  const { headings, rows } = podTable(pod, snapshot, chosen);
  const sentences =
    height < TABLE_ONLY
      ? []
      : outlooks(pod, now, about.isSimulated).filter((one) => matches(one.about, ui.filter));
  const left = height - headings.length;
  const room = Math.max(0, left - Math.min(rows.length, Math.ceil(left / 2)) - MIN_EVENTS);
  const wanted =
    sentences.length === 0 ? 0 : Math.min(MAX_OUTLOOK, 2 * sentences.length) + OUTLOOK_FRAME;
  const next = outlookRows(sentences, size.columns, Math.min(room, wanted));
  const events = Math.max(
    Math.min(MIN_EVENTS, left - 3) + Math.min(room, wanted) - next.length,
    left - rows.length - next.length,
  );
  return {
    head: headings,
    body: {
      id: `pod ${pod.key}`,
      rows: rows.map((row) => row.line),
      chosen: lastRowOf(rows, chosen),
    },
    tail: [...next, ...latestEvents(pod, snapshot, events)],
  };
}

/** The last row that belongs to the chosen one: its remarks have to be visible, too. */
function lastRowOf(rows: readonly TableRow[], chosen: string | undefined): number {
  const at = rows.findIndex(({ id }) => id !== undefined && id === chosen);
  if (at === -1) return -1;
  const next = rows.findIndex(({ id }, index) => index > at && id !== undefined);
  return (next === -1 ? rows.length : next) - 1;
}

function latestEvents(pod: PodSummary, snapshot: Snapshot, height: number): Line[] {
  const { summary, now, size, ui } = snapshot;
  if (height < 2) return [];
  const latest = eventRows(pod, summary, ui.filter).slice(-(height - 1));
  const lines = eventTable(latest, size.columns, now);
  return [...lines, ...Array.from({ length: height - lines.length }, (): Line => [])];
}

/** Rows that can be chosen have an id. */
interface TableRow {
  readonly id?: string;
  readonly line: Line;
}

interface PodTable {
  readonly headings: readonly Line[];
  readonly rows: readonly TableRow[];
}

const INDENT = '  ';
const REMARK = `${INDENT}  ↳ `;
const LAST_LINES = 2;
const MAX_HINT_ROWS = 2;

/** In the order of `probeCells`. */
const COLUMNS: readonly Column[] = [
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
const HEADINGS = 'PROBE HANDLER LAST RUN NEXT ✓ ✗ TOOK RECENT P99';
/** The column of the bars. */
const BARS = 8;

/** Containers, below each its probes, and remarks below what fails. */
function podTable(
  pod: PodSummary,
  { now, about, ui, size }: Snapshot,
  chosen: string | undefined,
): PodTable {
  const width = size.columns;
  const widths = columnWidths(COLUMNS, width - INDENT.length);
  const targets = rowTargets(pod, ui.filter);
  const rows = targets.flatMap((target): TableRow[] => {
    const { id, container, probe } = target;
    const isChosen = id === chosen;
    if (probe === undefined) {
      const simulated = about.isSimulated(pod.key, container.name);
      const own = containerLine(pod, container, now, simulated, isChosen);
      return [{ id, line: own }, ...lastWords(target, width)];
    }
    const cells = probeCells(target, probe, isChosen, widths[BARS] ?? 0, now);
    const own = [span(isChosen ? '▸ ' : INDENT, 'info'), ...tableRow(cells, COLUMNS, widths)];
    return [{ id, line: own }, ...complaint(target, probe, about.hints, width)];
  });
  const headings = HEADINGS.split(' ').map((heading) => line(heading, 'dim'));
  const hasProbes = targets.some(({ probe }) => probe !== undefined);
  return {
    headings: hasProbes ? [[span(INDENT), ...tableRow(headings, COLUMNS, widths)]] : [],
    rows,
  };
}

function lastWords({ container }: RowTarget, width: number): TableRow[] {
  const run = container.runs.findLast(hasDied);
  const lines = lastLines(container, run, LAST_LINES).map(({ text }) => text.trim());
  if (run === undefined || lines.length === 0) return [];
  const tone = run === container.runs.at(-1) ? 'bad' : 'dim';
  return remark(`last output of run ${run.run}: ${lines.join(' ⏎ ')}`, tone, width, 1);
}

function probeCells(
  { container }: RowTarget,
  probe: ProbeView,
  isChosen: boolean,
  barsWidth: number,
  now: number,
): Line[] {
  const spec = probeOf(container.spec, probe.type);
  const last = probe.attempts.at(-1);
  const bad = probe.failures + probe.errors;
  const p99 = percentile(probe.latencies, 99);
  const none = line('–', 'dim');
  const forecast = forecastProbe(container, probe, now);
  const next =
    forecast.nextAttempt === undefined ? none : line(countdown(forecast.nextAttempt - now));
  const isInFlight = probe.inFlight !== undefined;
  return [
    line(probe.type, isChosen ? 'cursor' : 'plain'),
    line(spec === undefined ? '' : handlerText(spec, container.spec)),
    isInFlight ? line('probing …', 'info') : last === undefined ? none : resultLine(last),
    runLine(probe, forecast),
    isInFlight ? line('now', 'info') : next,
    line(`${probe.successes}`, probe.successes > 0 ? 'good' : 'dim'),
    line(`${bad}`, bad > 0 ? 'bad' : 'dim'),
    last === undefined ? none : line(formatLatency(last.latency)),
    latencyBars(probe, barsWidth),
    p99 === undefined ? [] : line(`p99 ${formatLatency(p99)}`, 'dim'),
  ];
}

/** The latest latencies; those of failed attempts stand out. */
function latencyBars({ attempts }: ProbeView, width: number): Line {
  const latest = width === 0 ? [] : attempts.slice(-width);
  const bars = sparkline(latest.map(({ latency }) => latency));
  return latest.map((attempt, index) =>
    span(bars[index] ?? '', verdictOfAttempt(attempt) === 'success' ? 'info' : 'bad'),
  );
}

function complaint(
  { container }: RowTarget,
  probe: ProbeView,
  hints: boolean,
  width: number,
): TableRow[] {
  const last = probe.attempts.at(-1);
  if (last === undefined || verdictOfAttempt(last) === 'success') return [];
  const isOld = last.run !== (container.runs.at(-1)?.run ?? last.run);
  const output = (last.error ?? last.output).trim().split('\n')[0] ?? '';
  if (isOld) return remark(`in run ${last.run}: ${output}`, 'dim', width, 1);
  const hint = hints ? hintFor({ container, probe }, last) : undefined;
  return [...remark(output, 'bad', width, 1), ...remark(hint ?? '', 'info', width, MAX_HINT_ROWS)];
}

function remark(text: string, tone: Tone, width: number, maxRows: number): TableRow[] {
  if (text === '') return [];
  const rows = wrapText(text, width - textWidth(REMARK));
  const rest = rows.slice(maxRows - 1).join(' ');
  const shown = rows.length <= maxRows ? rows : [...rows.slice(0, maxRows - 1), rest];
  return shown.map((row, index) => ({
    line: [span(index === 0 ? REMARK : ' '.repeat(textWidth(REMARK)), 'dim'), span(row, tone)],
  }));
}
