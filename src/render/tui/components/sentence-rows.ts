import { type Diagnosis, headline, isPast } from '../../../diagnosis/diagnosis.js';
import type { Outlook } from '../../../diagnosis/outlook.js';
import type { PodSummary } from '../../../trace/summary/summary.js';
import { type Line, line, span, type Tone, wrapText } from '../../text/line.js';
import { divergenceText } from '../../view-text.js';
import { readsOnly, type Snapshot } from '../store/state.js';
import { signedRows } from './format.js';

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
      : sentences.map(({ about, text, tone }) => [span(` ${about}: `, 'strong'), span(text, tone)]);
  const rest = '─'.repeat(Math.max(0, width - TITLE.length - 1));
  return [
    [span('─', 'dim'), span(TITLE, 'info'), span(rest, 'dim')],
    ...rows.slice(0, room),
    line('─'.repeat(width), 'dim'),
  ];
}

export function outlookLines(sentences: readonly Outlook[], width: number): Line[] {
  return sentences.flatMap((sentence) => wrapSentence(sentence, width));
}

function wrapSentence({ about, text, tone }: Outlook, width: number): Line[] {
  const head = ` ${about}: `;
  const [first = '', ...others] = wrapText(`${head}${text}`, width - 1);
  const indent = '   ';
  const more = others.length === 0 ? [] : wrapText(others.join(' '), width - indent.length - 1);
  return [
    [span(head, 'strong'), span(first.slice(head.length), tone)],
    ...more.map((row) => [span(indent), span(row, tone)]),
  ];
}

/** The first thing that a cluster's kubelet did otherwise. */
export function divergenceRows({ divergence }: PodSummary, width: number, max: number): Line[] {
  if (divergence === undefined) return [];
  return signedRows('≠ ', divergenceText(divergence), 'warn', width, max);
}

/** The worst trouble: what and why, what comes next, and what to change. */
export function diagnosisRows(worst: Diagnosis | undefined, width: number, max: number): Line[] {
  if (worst === undefined) return [];
  const { next, change } = worst;
  const tone = isPast(worst) ? 'warn' : 'bad';
  return [
    ...signedRows('✗ ', headline(worst), tone, width, max),
    ...signedRows('  → ', next?.text ?? '', 'plain', width, max),
    ...signedRows('  = ', change ?? '', 'info', width, max),
  ];
}

/** Rows of each sentence, and sentences, at most. */
const MAX_ROWS = 2;
const MAX_ROLLOUTS = 3;
/** Rows of a screen above which each sentence gets one more. */
const LOW_SCREEN = 30;

/** The rollouts of a watch, and a connection that is lost. */
export function clusterRows({ summary, about, size }: Snapshot): Line[] {
  const { workloads, runtimeError } = summary;
  const most = size.rows > LOW_SCREEN ? MAX_ROWS + 1 : MAX_ROWS;
  const rows = (text: string, tone: Tone): Line[] => {
    const all = wrapText(text, size.columns);
    return [...all.slice(0, most - 1), all.slice(most - 1).join(' ')]
      .filter((row) => row !== '')
      .map((row) => line(row, tone));
  };
  const isLost = runtimeError !== undefined && readsOnly(about);
  return [
    ...(isLost ? rows(`${runtimeError}; trying again`, 'warn') : []),
    ...workloads
      .slice(0, MAX_ROLLOUTS)
      .flatMap(({ sentence, done, failed }) =>
        rows(sentence, done ? 'good' : failed ? 'bad' : 'warn'),
      ),
  ];
}
