import type { EventView, PodSummary, Summary } from '../../../trace/summary/summary.js';
import { age } from '../../text/duration.js';
import { type Line, line, span, textWidth } from '../../text/line.js';
import { type Column, columnWidths, tableRow } from '../../text/table.js';
import { matches } from '../format.js';
import { podInView } from '../selection.js';
import type { ViewKind } from './view.js';

export const eventsView: ViewKind = {
  title: () => 'events',
  show(snapshot) {
    const { summary, now, size, ui } = snapshot;
    const pod = podInView(snapshot);
    if (pod === undefined) return {};
    const [heading = [], ...rows] = eventTable(
      eventRows(pod, summary, ui.filter),
      size.columns,
      now,
    );
    const isHeldBack = pod.events.some(({ sent, count }) => sent?.count !== count);
    const note =
      'held back: the kubelet sends 25 events of a type about a pod, then one more every 5 minutes';
    return {
      head: [heading],
      body: { id: `events ${pod.key}`, rows, follows: true },
      tail: isHeldBack ? [line(note, 'dim')] : [],
    };
  },
  keys: [{ key: 'j k', word: 'scroll', sentence: 'scroll; g and G go to the ends' }],
};

/** An event, or a note of kprobe's own. */
interface EventRow extends EventView {
  readonly isNote?: boolean;
}

/** The pod's events and the run's notes that the filter lets through, in the order of their last occurrence. */
export function eventRows({ events }: PodSummary, { notes }: Summary, filter: string): EventRow[] {
  const noteRows = notes.map(({ t, level, text }): EventRow => ({
    type: level === 'warning' ? 'Warning' : 'Normal',
    reason: 'kprobe',
    message: text,
    combined: false,
    container: '',
    count: 1,
    firstAt: t,
    lastAt: t,
    isNote: true,
  }));
  return [...noteRows, ...events]
    .filter(({ reason, container, message }) =>
      matches(`${reason} ${container} ${message}`, filter),
    )
    .sort((a, b) => a.lastAt - b.lastAt);
}

const HEADINGS: readonly Line[] = ['AGE', 'TYPE', 'REASON', 'OBJECT', 'MESSAGE'].map((heading) =>
  line(heading, 'dim'),
);

export function eventTable(events: readonly EventRow[], width: number, now: number): Line[] {
  const object = Math.max(6, ...events.map(({ container }) => textWidth(container)));
  const columns: readonly Column[] = [
    { min: 5, max: 6, worth: 5 },
    { min: 7, max: 7, worth: 3 },
    { min: 9, max: 10, worth: 4 },
    { min: 3, max: Math.min(20, object), worth: 2 },
    { min: 20, max: 1000, worth: 9 },
  ];
  const widths = columnWidths(columns, width);
  return [HEADINGS, ...events.map((event) => eventCells(event, now))].map((cells) =>
    tableRow(cells, columns, widths),
  );
}

function eventCells(event: EventRow, now: number): Line[] {
  const { type, reason, message, container, count, firstAt, lastAt, isNote = false } = event;
  const times = count > 1 ? ` (x${count} over ${age(now - firstAt)})` : '';
  const tone = isNote ? 'info' : type === 'Warning' ? 'warn' : 'plain';
  const object = isNote ? '' : container === '' ? 'pod' : container;
  return [
    line(age(now - lastAt), 'dim'),
    line(isNote ? 'Note' : type, tone),
    line(reason, tone),
    line(object, 'dim'),
    [span(message.trim()), span(times, 'dim'), span(heldBackText(event), 'info')],
  ];
}

/** Tells what the kubelet's rate limit would have kept from the API server. */
function heldBackText({ count, sent, isNote = false }: EventRow): string {
  if (isNote || sent?.count === count) return '';
  const shown = sent === undefined ? 'kubectl does not show it' : `kubectl shows x${sent.count}`;
  return ` [held back: ${shown}]`;
}
