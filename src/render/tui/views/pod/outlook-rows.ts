import { type Line, line, span, wrapText } from '../../../text/line.js';
import type { Row } from '../view.js';
import type { Outlook } from './outlook.js';

const TITLE = ' what the kubelet does next ';

/** Title and end. */
export const OUTLOOK_FRAME = 2;

/** The sentences in a frame of at most `height` rows; long ones go on below as long as there is room for all. */
export function outlookRows(sentences: readonly Outlook[], width: number, height: number): Row[] {
  const room = height - OUTLOOK_FRAME;
  if (sentences.length === 0 || room < 1) return [];
  const wrapped = sentences.map((sentence) => wrappedSentence(sentence, width));
  const fits = wrapped.reduce((sum, rows) => sum + rows.length, 0) <= room;
  const rows = fits ? wrapped.flat() : sentences.map((sentence) => oneRow(sentence));
  const rest = '─'.repeat(Math.max(0, width - TITLE.length - 1));
  return [
    { line: [span('─', 'dim'), span(TITLE, 'info'), span(rest, 'dim')] },
    ...rows.slice(0, room).map((own) => ({ line: own })),
    { line: line('─'.repeat(width), 'dim') },
  ];
}

function oneRow({ about, text, tone }: Outlook): Line {
  return [span(` ${about}: `, 'strong'), span(text, tone)];
}

function wrappedSentence({ about, text, tone }: Outlook, width: number): Line[] {
  const head = ` ${about}: `;
  const [first = '', ...others] = wrapText(`${head}${text}`, width - 1);
  const indent = '   ';
  const more = wrapText(others.join(' '), width - indent.length - 1);
  return [
    [span(head, 'strong'), span(first.slice(head.length), tone)],
    ...(others.length === 0 ? [] : more.map((row): Line => [span(indent), span(row, tone)])),
  ];
}
