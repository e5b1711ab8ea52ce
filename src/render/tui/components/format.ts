import type { ProbeType } from '../../../kubelet/event.js';
import type { ProbeForecast, Turn } from '../../../trace/forecast.js';
import type { ProbeView } from '../../../trace/summary/probe-view.js';
import type { PodSummary } from '../../../trace/summary/summary.js';
import {
  elideLine,
  hangingRows,
  type Line,
  line,
  span,
  textWidth,
  type Tone,
  wrapText,
} from '../../text/line.js';

export const FIELD_WIDTH = 12;

export function field(name: string, value: string, width: number, tone: Tone = 'plain'): Line[] {
  return hangingRows(span(name.padEnd(FIELD_WIDTH), 'dim'), value, width, tone);
}

export function heading(text: string): Line {
  return line(text, 'info');
}

/** The times that a pod stopped being Ready: `lost once`, `lost 3 times`; empty where it never did. */
export function lossText({ readiness }: PodSummary): string {
  const lost = readiness.filter(({ ready }) => !ready).length;
  if (lost === 0) return '';
  return lost === 1 ? 'lost once' : `lost ${lost} times`;
}

const LEVELS = '▁▂▃▄▅▆▇█';

/** Values from 0 to `top`, each as a bar. */
export function sparkline(values: readonly number[], top: number): string {
  const scale = (LEVELS.length - 1) / top;
  return values.map((value) => LEVELS[Math.round(value * scale)] ?? '█').join('');
}

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

const EFFECTS = {
  startup: { success: 'started', failure: 'restart' },
  readiness: { success: 'ready', failure: 'unready' },
  liveness: { success: 'alive', failure: 'restart' },
} as const;

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

export function phaseLine({ phase, reason, deletedAt }: PodSummary): Line {
  if (deletedAt !== undefined) return line('Terminating', 'warn');
  if (phase === '') return line('starting', 'dim');
  return line(reason === '' ? phase : `${phase} (${reason})`, PHASE_TONES[phase] ?? 'plain');
}

const PHASE_TONES: Readonly<Record<string, Tone>> = {
  Failed: 'bad',
  Succeeded: 'good',
  Pending: 'warn',
};

/** A text behind a sign, in at most so many rows; of the last one the middle may be missing. */
export function signedRows(
  sign: string,
  text: string,
  tone: Tone,
  width: number,
  max: number,
): Line[] {
  if (text === '') return [];
  const room = width - textWidth(sign);
  const rows = wrapText(text, room);
  const shown =
    rows.length <= max ? rows : [...rows.slice(0, max - 1), rows.slice(max - 1).join(' ')];
  return shown.map((row, index) => [
    span(index === 0 ? sign : ' '.repeat(textWidth(sign)), 'dim'),
    ...elideLine(line(row, tone), room),
  ]);
}
