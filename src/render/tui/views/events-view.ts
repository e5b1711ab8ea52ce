import type { EventView, PodSummary, Summary } from '../../../trace/summary/summary.js';
import { age } from '../../text/duration.js';
import { type Line, line, type Span, span, textWidth } from '../../text/line.js';
import { type Column, columnWidths, tableRow } from '../../text/table.js';
import { matches } from '../format.js';
import { podInView } from '../selection.js';
import { NO_BODY, type ViewKind } from './view.js';

/** A pod's events, as `kubectl describe` lists them. */
export const eventsView: ViewKind = {
  title: () => 'events',
  show(snapshot) {
    const { summary, now, size, ui } = snapshot;
    const pod = podInView(snapshot);
    if (pod === undefined) return { head: [], body: NO_BODY, tail: [] };
    const events = happenings(pod, summary, ui.filter);
    const widths = eventWidths(events, size.columns);
    const isHeldBack = pod.events.some(({ sent, count }) => sent?.count !== count);
    const note =
      'held back: the kubelet sends 25 events of a type about a pod, then one more every 5 minutes';
    return {
      head: [{ line: tableRow(EVENT_HEADINGS, EVENT_COLUMNS, widths) }],
      body: {
        id: `events ${pod.key}`,
        count: events.length,
        row: (index) => {
          const event = events[index];
          return { line: event === undefined ? [] : eventRow(event, widths, now) };
        },
        follows: true,
      },
      tail: isHeldBack ? [{ line: line(note, 'dim') }] : [],
    };
  },
  keys: [{ key: 'j k', word: 'scroll', sentence: 'scroll; g and G go to the ends' }],
};

export const EVENT_COLUMNS: readonly Column[] = [
  { min: 5, max: 6, worth: 5 },
  { min: 7, max: 7, worth: 3 },
  { min: 9, max: 10, worth: 4 },
  { min: 3, max: 12, worth: 2 },
  { min: 20, max: 1000, worth: 9 },
];

/** Which of them says what an event is about. */
const OBJECT = 3;

export const EVENT_HEADINGS: readonly Line[] = ['AGE', 'TYPE', 'REASON', 'OBJECT', 'MESSAGE'].map(
  (heading) => line(heading, 'dim'),
);

/** An event, or something that kprobe itself has to say. */
export interface Happening extends EventView {
  readonly isNote?: boolean;
}

/** The pod's events and the run's notes that the filter lets through, in the order of their last occurrence. */
export function happenings(
  { events }: PodSummary,
  { notes }: Summary,
  filter: string,
): Happening[] {
  const said = notes.map(({ t, level, text }): Happening => {
    const about = { type: level === 'warning' ? 'Warning' : 'Normal', reason: 'kprobe' } as const;
    const once = { count: 1, firstAt: t, lastAt: t };
    return { ...about, ...once, message: text, container: '', isNote: true };
  });
  return [...said, ...events]
    .filter(({ reason, container, message }) =>
      matches(`${reason} ${container} ${message}`, filter),
    )
    .sort((a, b) => a.lastAt - b.lastAt);
}

/** Columns that fit the events' objects. */
export function eventWidths(events: readonly Happening[], width: number): number[] {
  const longest = Math.max(6, ...events.map(({ container }) => textWidth(container)));
  const columns = EVENT_COLUMNS.map((column, index) =>
    index === OBJECT ? { ...column, max: Math.min(20, longest) } : column,
  );
  return columnWidths(columns, width);
}

export function eventRow(event: Happening, widths: readonly number[], now: number): Line {
  const { type, reason, message, container, count, firstAt, lastAt, sent, isNote } = event;
  const times = count > 1 ? ` (x${count} over ${age(now - firstAt)})` : '';
  const tone = type === 'Warning' ? 'warn' : 'plain';
  const object = isNote === true ? '' : container === '' ? 'pod' : container;
  const cells = [
    line(age(now - lastAt), 'dim'),
    line(isNote === true ? 'Note' : type, isNote === true ? 'info' : tone),
    line(reason, isNote === true ? 'info' : tone),
    line(object, 'dim'),
    [span(message.trim()), span(times, 'dim'), ...heldBack(count, sent, isNote)],
  ];
  return tableRow(cells, EVENT_COLUMNS, widths);
}

/** What the kubelet's rate limit would have kept from the API server. */
function heldBack(
  count: number,
  sent: EventView['sent'],
  isNote: boolean | undefined,
): readonly Span[] {
  if (isNote === true || sent?.count === count) return [];
  const shown = sent === undefined ? 'kubectl shows none of it' : `kubectl shows x${sent.count}`;
  return [span(` [held back: ${shown}]`, 'info')];
}
