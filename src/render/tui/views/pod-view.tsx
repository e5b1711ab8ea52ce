import { Box } from 'ink';
import type { FC } from 'react';

import { attemptCause } from '../../../diagnosis/attempt-cause.js';
import { causeText } from '../../../diagnosis/cause.js';
import { type Diagnosis, headline, isPast } from '../../../diagnosis/diagnosis.js';
import { outlooks } from '../../../diagnosis/outlook.js';
import { runSentence } from '../../../diagnosis/past-run.js';
import { probeOf } from '../../../kubelet/prober/probe-of.js';
import { forecastProbe } from '../../../trace/forecast/probe-forecast.js';
import { currentRun, hasDied } from '../../../trace/summary/container-view.js';
import { percentile } from '../../../trace/summary/histogram.js';
import { type ProbeView, verdictOfAttempt } from '../../../trace/summary/probe-view.js';
import type { PodSummary } from '../../../trace/summary/summary.js';
import { resultLine } from '../../attempt-result.js';
import { divergenceText } from '../../divergence-text.js';
import { handlerText } from '../../probe-text.js';
import { countdown, formatLatency } from '../../text/duration.js';
import { type Line, line, span, textWidth, type Tone, wrapText } from '../../text/line.js';
import { type Column, columnWidths, tableRow } from '../../text/table.js';
import { containerLine } from '../components/container-line.js';
import { runLine, sparkline } from '../components/format.js';
import { OUTLOOK_FRAME, outlookRows } from '../components/outlook-rows.js';
import { Row, Rows } from '../components/row.js';
import { ScrollBox } from '../components/scroll-box.js';
import { useSnapshot } from '../hooks/use-store.js';
import {
  chosenTarget,
  filterOf,
  matches,
  podInView,
  rowOf,
  type RowTarget,
  rowTargets,
  troublesOf,
} from '../store/selection.js';
import { readsOnly, type Size, type Snapshot } from '../store/state.js';
import { eventRows, eventTable } from './events-view.js';
import type { View } from './view.js';

/** Rows that the events get at least, their heading included, and the outlook at most. */
const MIN_EVENTS = 4;
/** Below this height there are events only where room is left. */
const LOW = 16;
const MAX_OUTLOOK = 8;
/** Below this height the table is all there is. */
const TABLE_ONLY = 9;

export const PodView: View = (size) => {
  const snapshot = useSnapshot();
  const pod = podInView(snapshot);
  if (pod !== undefined) return <Pod pod={pod} snapshot={snapshot} {...size} />;
  const text = readsOnly(snapshot.about) ? 'no pods: waiting for them' : 'starting …';
  return <Row line={line(text, 'dim')} width={size.columns} />;
};

interface PodProps extends Size {
  readonly pod: PodSummary;
  readonly snapshot: Snapshot;
}

const Pod: FC<PodProps> = ({ pod, snapshot, columns, rows: height }) => {
  const { now, about } = snapshot;
  const chosen = chosenTarget(pod, snapshot)?.id;
  const diagnoses = about.hints ? troublesOf(pod, snapshot) : [];
  const top = [...divergenceRows(pod, columns), ...diagnosisRows(diagnoses[0], columns)];
  const { headings, rows } = podTable(pod, snapshot, chosen, diagnoses);
  const filter = filterOf(snapshot);
  const sentences =
    height < TABLE_ONLY
      ? []
      : outlooks(pod, now, about.isSimulated).filter(
          (one) => matches(one.about, filter) && one.text !== diagnoses[0]?.next?.text,
        );
  const left = height - headings.length - top.length;
  const least = height < LOW ? 0 : MIN_EVENTS;
  const room = Math.max(0, left - Math.min(rows.length, Math.ceil(left / 2)) - least);
  const wanted =
    sentences.length === 0 ? 0 : Math.min(MAX_OUTLOOK, 2 * sentences.length) + OUTLOOK_FRAME;
  const next = outlookRows(sentences, columns, Math.min(room, wanted));
  const spared = least === 0 ? 0 : Math.min(least, left - 3) + Math.min(room, wanted) - next.length;
  const events = Math.max(spared, left - rows.length - next.length);
  return (
    <Box flexDirection="column">
      <Rows lines={[...top, ...headings]} width={columns} />
      <ScrollBox
        id={`pod ${pod.key}`}
        lines={rows.map((row) => row.line)}
        width={columns}
        height={Math.max(0, left - next.length - (events < 2 ? 0 : events))}
        chosen={lastRowOf(rows, chosen)}
        failing={failingRows(rows, diagnoses)}
      />
      <Rows lines={[...next, ...latestEvents(pod, snapshot, events)]} width={columns} />
    </Box>
  );
};

/** The first thing that a cluster's kubelet did otherwise. */
function divergenceRows({ divergence }: PodSummary, width: number): Line[] {
  if (divergence === undefined) return [];
  return clippedRows('≠ ', divergenceText(divergence), 'warn', width, MAX_DIAGNOSIS_ROWS);
}

/** The worst trouble: what and why, what comes next, and what to change. */
function diagnosisRows(worst: Diagnosis | undefined, width: number): Line[] {
  if (worst === undefined) return [];
  const { next, change } = worst;
  const tone = isPast(worst) ? 'warn' : 'bad';
  return [
    ...clippedRows('✗ ', headline(worst), tone, width, MAX_DIAGNOSIS_ROWS),
    ...clippedRows('  → ', next?.text ?? '', 'plain', width, MAX_DIAGNOSIS_ROWS),
    ...clippedRows('  = ', change ?? '', 'info', width, MAX_DIAGNOSIS_ROWS),
    line('─'.repeat(width), 'dim'),
  ];
}

/** The rows of what is in trouble now. */
function failingRows(rows: readonly TableRow[], diagnoses: readonly Diagnosis[]): number[] {
  const ids = new Set(diagnoses.filter((one) => !isPast(one)).map(rowOf));
  return [...rows.keys()].filter((index) => ids.has(rows[index]?.id ?? ''));
}

/** The last row that belongs to the chosen one: its remarks have to be visible, too. */
function lastRowOf(rows: readonly TableRow[], chosen: string | undefined): number {
  const at = rows.findIndex(({ id }) => id !== undefined && id === chosen);
  if (at === -1) return -1;
  const next = rows.findIndex(({ id }, index) => index > at && id !== undefined);
  return (next === -1 ? rows.length : next) - 1;
}

function latestEvents(pod: PodSummary, snapshot: Snapshot, height: number): Line[] {
  const { summary, now, size } = snapshot;
  if (height < 2) return [];
  const latest = eventRows(pod, summary, filterOf(snapshot)).slice(1 - height);
  return eventTable(latest, size.columns, now);
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
const MAX_HINT_ROWS = 2;
const MAX_DIAGNOSIS_ROWS = 2;

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
  snapshot: Snapshot,
  chosen: string | undefined,
  diagnoses: readonly Diagnosis[],
): PodTable {
  const { now, about, size } = snapshot;
  const width = size.columns;
  const widths = columnWidths(COLUMNS, width - INDENT.length);
  const targets = rowTargets(pod, snapshot);
  const rows = targets.flatMap((target): TableRow[] => {
    const { id, container, probe } = target;
    const isChosen = id === chosen;
    if (probe === undefined) {
      const simulated = about.isSimulated(pod.key, container.name);
      const own = containerLine(pod, container, now, simulated, isChosen);
      return [{ id, line: own }, ...containerRemarks(target, diagnoses, width)];
    }
    const cells = probeCells(target, probe, isChosen, widths[BARS] ?? 0, now);
    const own = [span(isChosen ? '▸ ' : INDENT, 'info'), ...tableRow(cells, COLUMNS, widths)];
    return [{ id, line: own }, ...complaint(target, probe, about, diagnoses[0], width)];
  });
  const headings = HEADINGS.split(' ').map((heading) => line(heading, 'dim'));
  const hasProbes = targets.some(({ probe }) => probe !== undefined);
  return {
    headings: hasProbes ? [[span(INDENT), ...tableRow(headings, COLUMNS, widths)]] : [],
    rows,
  };
}

/** A trouble that is not the worst, or else why the latest run ended. */
function containerRemarks(
  { container }: RowTarget,
  [worst, ...others]: readonly Diagnosis[],
  width: number,
): TableRow[] {
  const own = others.find((one) => one.container === container.name && one.probe === undefined);
  if (own !== undefined) return remark(causeText(own), 'bad', width, MAX_HINT_ROWS);
  const run = container.runs.findLast(hasDied);
  if (run === undefined) return [];
  const text = runSentence(container, run);
  const isShown = worst?.container === container.name && run === container.runs.at(-1);
  return isShown ? [] : remark(`run ${run.run}: ${text}`, 'dim', width, 1);
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
    last === undefined || last.evidence !== undefined ? none : line(formatLatency(last.latency)),
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
  { hints }: Snapshot['about'],
  worst: Diagnosis | undefined,
  width: number,
): TableRow[] {
  const last = probe.attempts.at(-1);
  if (last === undefined || verdictOfAttempt(last) === 'success') return [];
  const isOld = last.run !== (container.runs.at(-1)?.run ?? last.run);
  const output = (last.error ?? last.output).trim().split('\n')[0] ?? '';
  if (isOld) return remark(`in run ${last.run}: ${output}`, 'dim', width, 1);
  const cause =
    hints && currentRun(container) ? attemptCause({ container, probe }, last) : undefined;
  const isShown = cause !== undefined && worst?.why.includes(cause.why) === true;
  const text = cause === undefined || isShown ? '' : causeText(cause);
  return [...remark(output, 'bad', width, 1), ...remark(text, 'info', width, MAX_HINT_ROWS)];
}

function remark(text: string, tone: Tone, width: number, maxRows: number): TableRow[] {
  return clippedRows(REMARK, text, tone, width, maxRows).map((line) => ({ line }));
}

/** A text behind a sign, in at most so many rows; the last one is clipped. */
function clippedRows(sign: string, text: string, tone: Tone, width: number, max: number): Line[] {
  if (text === '') return [];
  const rows = wrapText(text, width - textWidth(sign));
  const shown =
    rows.length <= max ? rows : [...rows.slice(0, max - 1), rows.slice(max - 1).join(' ')];
  return shown.map((row, index) => [
    span(index === 0 ? sign : ' '.repeat(textWidth(sign)), 'dim'),
    span(row, tone),
  ]);
}
