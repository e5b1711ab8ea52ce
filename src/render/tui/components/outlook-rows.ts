import type { Outlook } from '../../../diagnosis/outlook.js';
import { type Line, line, span, wrapText } from '../../text/line.js';

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
