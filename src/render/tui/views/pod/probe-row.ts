import { probeOf } from '../../../../kubelet/prober/probe-of.js';
import type { ProbeForecast } from '../../../../trace/forecast/probe-forecast.js';
import type { ContainerView } from '../../../../trace/summary/container-view.js';
import { percentile } from '../../../../trace/summary/histogram.js';
import { type ProbeView, verdictOfAttempt } from '../../../../trace/summary/probe-view.js';
import { handlerText } from '../../../handler-text.js';
import { countdown, formatLatency } from '../../../text/duration.js';
import { type Line, line, span } from '../../../text/line.js';
import type { Column } from '../../../text/table.js';
import { resultLine } from '../../format/attempt-result.js';
import { runLine } from '../../format/probe-run.js';
import { sparkline } from '../../format/spark.js';

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
