import { type Diagnosis, isFailing } from '../../diagnosis/fault.js';
import type { Outlook } from '../../diagnosis/next-step.js';
import { firstChange, headline, outlookSubject, outlookText } from '../../diagnosis/words.js';
import { divergenceText } from '../../report/view-text.js';
import {
  elideLine,
  hangingRows,
  type Line,
  line,
  type Span,
  span,
  textWidth,
  type Tone,
  wrapText,
} from '../../text/line.js';
import type { ProbeType } from '../../trace/event.js';
import type { PendingResult, ProbeForecast } from '../../trace/forecast.js';
import type { ProbeView } from '../../trace/summary/probe-view.js';
import type { PodSummary } from '../../trace/summary/summary.js';
import { readsOnly, type Snapshot } from '../store/state.js';

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

function progressLine(type: ProbeType, { to, needed, threshold }: PendingResult): Line {
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
export function signedRows(sign: string, { text, tone }: Span, width: number, max: number): Line[] {
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

const TITLE = ' what the kubelet does next ';

export const OUTLOOK_FRAME = 2;

/** The sentences in a frame of at most `height` rows, wrapped where there is room for all. */
export function outlookRows(sentences: readonly Outlook[], width: number, height: number): Line[] {
  const room = height - OUTLOOK_FRAME;
  if (sentences.length === 0 || room < 1) return [];
  const wrapped = outlookLines(sentences, width);
  const rows =
    wrapped.length <= room
      ? wrapped
      : sentences.map((each) => [
          span(` ${outlookSubject(each)}: `, 'strong'),
          span(outlookText(each), each.tone),
        ]);
  const rest = '─'.repeat(Math.max(0, width - TITLE.length - 1));
  return [
    [span('─', 'dim'), span(TITLE, 'info'), span(rest, 'dim')],
    ...rows.slice(0, room),
    line('─'.repeat(width), 'dim'),
  ];
}

export function outlookLines(sentences: readonly Outlook[], width: number): Line[] {
  const indent = '   ';
  return sentences.flatMap((each) => {
    const { tone } = each;
    const head = ` ${outlookSubject(each)}: `;
    const [first = '', ...others] = wrapText(`${head}${outlookText(each)}`, width - 1);
    const more = others.length === 0 ? [] : wrapText(others.join(' '), width - indent.length - 1);
    return [
      [span(head, 'strong'), span(first.slice(head.length), tone)],
      ...more.map((row) => [span(indent), span(row, tone)]),
    ];
  });
}

/** The first thing that a cluster's kubelet did otherwise. */
export function divergenceRows({ divergence }: PodSummary, width: number, max: number): Line[] {
  if (divergence === undefined) return [];
  return signedRows('≠ ', span(divergenceText(divergence), 'warn'), width, max);
}

/** The worst trouble: what and why, what comes next, and what to change. */
export function diagnosisRows(worst: Diagnosis | undefined, width: number, max: number): Line[] {
  if (worst === undefined) return [];
  const { next } = worst;
  const tone = isFailing(worst) ? 'bad' : 'warn';
  return [
    ...signedRows('✗ ', span(headline(worst), tone), width, max),
    ...signedRows('  → ', span(next === undefined ? '' : outlookText(next)), width, max),
    ...signedRows('  = ', span(firstChange(worst) ?? '', 'info'), width, max),
  ];
}

/** Rows of each sentence, and sentences, at most. */
const MAX_ROWS = 2;
const MAX_ROLLOUTS = 3;
/** Rows of a screen above which each sentence gets one more. */
const LOW_SCREEN = 30;

/** The rollouts of a watch, and a connection that is lost. */
export function clusterRows({ summary, context, size }: Snapshot): Line[] {
  const { workloads, runtimeError } = summary;
  const most = size.rows > LOW_SCREEN ? MAX_ROWS + 1 : MAX_ROWS;
  const rows = (text: string, tone: Tone): Line[] => {
    const all = wrapText(text, size.columns);
    return [...all.slice(0, most - 1), all.slice(most - 1).join(' ')]
      .filter((row) => row !== '')
      .map((row) => line(row, tone));
  };
  const isLost = runtimeError !== undefined && readsOnly(context);
  return [
    ...(isLost ? rows(`${runtimeError}; trying again`, 'warn') : []),
    ...workloads
      .slice(0, MAX_ROLLOUTS)
      .flatMap(({ sentence, done, failed }) =>
        rows(sentence, done ? 'good' : failed ? 'bad' : 'warn'),
      ),
  ];
}
