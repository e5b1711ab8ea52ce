import { Box } from 'ink';

import type { EventView, PodSummary, Summary } from '../../../trace/summary/summary.js';
import { age } from '../../text/duration.js';
import { type Line, line, span, textWidth } from '../../text/line.js';
import { type Column, columnWidths, tableRow } from '../../text/table.js';
import { Row } from '../components/row.js';
import { ScrollBox } from '../components/scroll-box.js';
import { useSnapshot } from '../hooks/use-store.js';
import { filterOf, matches, podInView } from '../store/selection.js';
import type { View } from './view.js';

const HELD_BACK =
  'held back: the kubelet sends 25 events of a type about a pod, then one more every 5 minutes';

export const EventsView: View = ({ columns, rows }) => {
  const snapshot = useSnapshot();
  const { summary, now } = snapshot;
  const pod = podInView(snapshot);
  if (pod === undefined) return null;
  const events = eventRows(pod, summary, filterOf(snapshot));
  const [heading = [], ...lines] = eventTable(events, columns, now);
  const isHeldBack = pod.events.some(({ sent, count }) => sent?.count !== count);
  const height = rows - (isHeldBack ? 2 : 1);
  return (
    <Box flexDirection="column">
      <Row line={heading} width={columns} />
      <ScrollBox id={`events ${pod.key}`} lines={lines} width={columns} height={height} follows />
      {isHeldBack && <Row line={line(HELD_BACK, 'dim')} width={columns} />}
    </Box>
  );
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
