import type { ProbeType } from '../../kubelet/event.js';
import type { ProbeForecast, Turn } from '../../trace/forecast/probe-forecast.js';
import type { ProbeView } from '../../trace/summary/probe-view.js';
import type { PodSummary } from '../../trace/summary/summary.js';
import { type Line, type Span, span, type Tone, wrapText } from '../text/line.js';

/** Columns that a field's name takes. */
export const FIELD_WIDTH = 12;

/** A named value; what is too long for a row goes on below. */
export function field(name: string, value: string, width: number, tone: Tone = 'plain'): Line[] {
  const rows = wrapText(value, Math.max(1, width - FIELD_WIDTH));
  return rows.map((row, index) => [
    span((index === 0 ? name : '').padEnd(FIELD_WIDTH), 'dim'),
    span(row, tone),
  ]);
}

export function heading(text: string): Line {
  return [span(text, 'info')];
}

/** A text of several lines, indented; long ones wrapped, or left to be cut off. */
export function indented(text: string, width: number, wraps: boolean): Line[] {
  const lines = text.replace(/(\r?\n)+$/, '').split(/\r?\n/);
  return lines
    .flatMap((one) => (wraps ? wrapText(one, Math.max(1, width - 2)) : [one]))
    .map((one) => [span('  '), span(one)]);
}

/** More than so many steps are told in numbers alone. */
const MAX_BAR = 5;

/** Where a probe stands against its threshold: `██▁ 2/3 → restart`, `ready`, `after startup`. */
export function runLine(probe: ProbeView, forecast: ProbeForecast): Line {
  const { stands, turns } = forecast;
  const waits = probe.state === 'awaitingStartup' && forecast.nextAttempt === undefined;
  if (waits) return [span('after startup', 'dim')];
  const begun = turns.find(({ needed, threshold }) => needed < threshold);
  if (begun !== undefined) return progress(probe.type, begun);
  const resting = restingText(probe, forecast);
  if (resting !== undefined) return [span(resting, 'dim')];
  if (stands !== 'unknown') return [standing(probe.type, stands)];
  return [span('not started', 'warn')];
}

function progress(type: ProbeType, { to, needed, threshold }: Turn): Line {
  const have = threshold - needed;
  const bar = threshold <= MAX_BAR ? `${progressBar(have, threshold)} ` : '';
  const tone = to === 'failure' ? (needed === 1 ? 'bad' : 'warn') : 'good';
  return [span(`${bar}${have}/${threshold} → ${effectWord(type, to)}`, tone)];
}

/** What a result does once its threshold is met. */
export function effectWord(type: ProbeType, to: 'success' | 'failure'): string {
  switch (type) {
    case 'startup':
      return to === 'success' ? 'started' : 'restart';
    case 'readiness':
      return to === 'success' ? 'ready' : 'unready';
    case 'liveness':
      return to === 'success' ? 'alive' : 'restart';
  }
}

function standing(type: ProbeType, stands: 'success' | 'failure'): Span {
  return span(effectWord(type, stands), stands === 'success' ? 'good' : 'bad');
}

/** Why nothing is being tried, where nothing is known yet. */
function restingText(
  { state, set }: ProbeView,
  { nextAttempt }: ProbeForecast,
): string | undefined {
  if (set !== undefined) return undefined;
  switch (state) {
    case 'initialDelay':
      return 'initial delay';
    case 'noStatus':
    case 'noContainer':
    case 'notRunning':
    case undefined:
      return nextAttempt === undefined ? 'not running' : 'first look';
    case 'stopped':
      return 'ended';
    default:
      return undefined;
  }
}

const LEVELS = '▁▂▃▄▅▆▇█';

/** A row of bars, the highest for the greatest value; the latest `width` of them. */
export function sparkline(values: readonly number[], width: number): string {
  const shown = width <= 0 ? [] : values.slice(-width);
  const highest = Math.max(...shown, 0);
  return shown.map((value) => bar(value, highest)).join('');
}

/** How far a count has come: `██▁`. */
export function progressBar(have: number, of: number): string {
  return '█'.repeat(Math.min(have, of)) + '▁'.repeat(Math.max(0, of - have));
}

function bar(value: number, highest: number): string {
  const level = highest <= 0 ? 0 : Math.round((value / highest) * (LEVELS.length - 1));
  return LEVELS[level] ?? '█';
}

/** How often a pod was Ready and then no longer: `lost once`, `lost 3 times`; empty where it never was. */
export function lossText({ readiness }: PodSummary): string {
  const lost = readiness.filter(({ ready }) => !ready).length;
  if (lost === 0) return '';
  return lost === 1 ? 'lost once' : `lost ${lost} times`;
}

/** Whether a text has what the user wants to see; case does not matter. */
export function matches(text: string, filter: string): boolean {
  return text.toLowerCase().includes(filter.toLowerCase());
}
