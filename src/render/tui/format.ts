import type { ProbeType } from '../../kubelet/event.js';
import type { ProbeForecast, Turn } from '../../trace/forecast/probe-forecast.js';
import type { ProbeView } from '../../trace/summary/probe-view.js';
import type { PodSummary } from '../../trace/summary/summary.js';
import { type Line, line, span, type Tone, wrapText } from '../text/line.js';

/** Columns that a field's name takes. */
export const FIELD_WIDTH = 12;

/** A named value; long ones continue below. */
export function field(name: string, value: string, width: number, tone: Tone = 'plain'): Line[] {
  const rows = wrapText(value, Math.max(1, width - FIELD_WIDTH));
  return rows.map((row, index) => [
    span((index === 0 ? name : '').padEnd(FIELD_WIDTH), 'dim'),
    span(row, tone),
  ]);
}

export function heading(text: string): Line {
  return line(text, 'info');
}

/** Ignores case. */
export function matches(text: string, filter: string): boolean {
  return text.toLowerCase().includes(filter.toLowerCase());
}

/** How often a pod stopped being Ready: `lost once`, `lost 3 times`; empty where it never did. */
export function lossText({ readiness }: PodSummary): string {
  const lost = readiness.filter(({ ready }) => !ready).length;
  if (lost === 0) return '';
  return lost === 1 ? 'lost once' : `lost ${lost} times`;
}

const LEVELS = '▁▂▃▄▅▆▇█';

/** A bar for each value, the highest for the greatest. */
export function sparkline(values: readonly number[]): string {
  const highest = Math.max(...values, 0);
  const level = (value: number): number =>
    highest <= 0 ? 0 : Math.round((value / highest) * (LEVELS.length - 1));
  return values.map((value) => LEVELS[level(value)] ?? '█').join('');
}

/** More than so many steps are shown in numbers alone. */
const MAX_BAR = 5;

/** A probe's progress toward its threshold: `██▁ 2/3 → restart`, `ready`, `after startup`. */
export function runLine(probe: ProbeView, forecast: ProbeForecast): Line {
  const { stands, turns, nextAttempt } = forecast;
  if (probe.state === 'awaitingStartup' && nextAttempt === undefined) {
    return line('after startup', 'dim');
  }
  const begun = turns.find(({ needed, threshold }) => needed < threshold);
  if (begun !== undefined) return progressLine(probe.type, begun);
  const idle = idleText(probe, nextAttempt);
  if (idle !== undefined) return line(idle, 'dim');
  if (stands === 'unknown') return line('not started', 'warn');
  return line(effectWord(probe.type, stands), stands === 'success' ? 'good' : 'bad');
}

function progressLine(type: ProbeType, { to, needed, threshold }: Turn): Line {
  const have = threshold - needed;
  const bar = threshold <= MAX_BAR ? `${'█'.repeat(have)}${'▁'.repeat(needed)} ` : '';
  const tone = to === 'failure' ? (needed === 1 ? 'bad' : 'warn') : 'good';
  return line(`${bar}${have}/${threshold} → ${effectWord(type, to)}`, tone);
}

const EFFECTS: Readonly<Record<ProbeType, { readonly success: string; readonly failure: string }>> =
  {
    startup: { success: 'started', failure: 'restart' },
    readiness: { success: 'ready', failure: 'unready' },
    liveness: { success: 'alive', failure: 'restart' },
  };

/** The effect of a result once its threshold is met. */
export function effectWord(type: ProbeType, to: 'success' | 'failure'): string {
  return EFFECTS[type][to];
}

/** Why nothing is being probed before the first result. */
function idleText({ state, set }: ProbeView, nextAttempt: number | undefined): string | undefined {
  if (set !== undefined) return undefined;
  switch (state) {
    case 'initialDelay':
      return 'initial delay';
    case 'noStatus':
    case 'noContainer':
    case 'notRunning':
    case undefined:
      return nextAttempt === undefined ? 'not running' : 'first probe';
    case 'stopped':
      return 'ended';
    default:
      return undefined;
  }
}
