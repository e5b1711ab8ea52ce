import type { EventView } from '../../../trace/summary/event-view.js';
import { age } from '../format/duration.js';
import { type Column, tableRow } from '../text/columns.js';
import { line } from '../text/line.js';
import type { Line } from '../text/span.js';
import { span } from '../text/span.js';

export const EVENT_COLUMNS: readonly Column[] = [
  { min: 5, max: 6, worth: 5 },
  { min: 7, max: 7, worth: 3 },
  { min: 9, max: 10, worth: 4 },
  { min: 3, max: 12, worth: 2 },
  { min: 20, max: 1000, worth: 9 },
];

export const EVENT_HEADINGS: readonly Line[] = ['AGE', 'TYPE', 'REASON', 'OBJECT', 'MESSAGE'].map(
  (heading) => line(heading, 'dim'),
);

export function eventRow(event: EventView, widths: readonly number[], now: number): Line {
  const { type, reason, message, container, count, firstAt, lastAt } = event;
  const times = count > 1 ? ` (x${count} over ${age(now - firstAt)})` : '';
  const tone = type === 'Warning' ? 'warn' : 'plain';
  const cells = [
    line(age(now - lastAt), 'dim'),
    line(type, tone),
    line(reason, tone),
    line(container === '' ? 'pod' : container, 'dim'),
    [span(message.trim()), span(times, 'dim')],
  ];
  return tableRow(cells, EVENT_COLUMNS, widths);
}
