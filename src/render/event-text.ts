import type { EventMeaning } from '../diagnosis/pod-event.js';
import { escapeControl, shorten } from './text/escape.js';
import type { Screen } from './text/screen.js';

const LABELS = { cause: 'cause', change: 'help', next: 'next' } as const;
const INDENT = '  cause  '.length;

/** The meaning of an event as text, with its line breaks. */
export function eventText(meaning: EventMeaning, screen: Screen): string {
  const rows = (['cause', 'change', 'next'] as const).flatMap((key) => {
    const text = meaning[key];
    if (text === undefined || text === '') return [];
    const label = `  ${LABELS[key].padEnd(INDENT - 4)}  `;
    const shown = screen.wrap(`${label}${escapeControl(shorten(text))}`, INDENT);
    return [`${screen.paint(label, 'dim')}${shown.slice(label.length)}\n`];
  });
  const head = `${meaning.reason}: ${escapeControl(meaning.meaning)}`;
  return `${screen.paint(screen.wrap(head, 2), 'strong')}\n${rows.join('')}`;
}
