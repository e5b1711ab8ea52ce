import { Box } from 'ink';
import type { FC } from 'react';

import { age } from '../../text/duration.js';
import { type Line, line, span } from '../../text/line.js';
import { Row } from '../components/row.js';
import { Table, type TableColumn, type TableRow } from '../components/table.js';
import { useSnapshot } from '../hooks/use-store.js';
import { eventOrder, type ListedEvent, listedEvents, listInView } from '../store/lists.js';
import { podInView, wrapsIn } from '../store/selection.js';
import type { Size, Snapshot } from '../store/state.js';

const HELD_BACK =
  'held back: the kubelet sends 25 events of a type about a pod, then one more every 5 minutes';

export function eventsTitle(snapshot: Snapshot): string {
  const { name } = eventOrder(snapshot);
  return name === 'time' ? 'events' : `events by ${name}`;
}

export const EventsView: FC<Size> = ({ columns, rows }) => {
  const snapshot = useSnapshot();
  const pod = podInView(snapshot);
  if (pod === undefined) return null;
  const { chosen, total } = listInView(snapshot) ?? {};
  const isHeldBack = pod.events.some(({ sent, count }) => sent?.count !== count);
  return (
    <Box flexDirection="column">
      <Table
        id={`events ${pod.key}`}
        columns={EVENT_COLUMNS}
        rows={eventRows(listedEvents(pod, snapshot), snapshot.now)}
        width={columns}
        height={rows - (isHeldBack ? 1 : 0)}
        chosen={chosen}
        total={total}
        wraps={wrapsIn(snapshot)}
        follows
      />
      {isHeldBack && <Row line={line(HELD_BACK, 'dim')} width={columns} />}
    </Box>
  );
};

/** Columns of a count that says in which time. */
const WIDE_COUNT = 11;
const COUNT = 1;

export const EVENT_COLUMNS: readonly TableColumn[] = [
  { heading: 'AGE', min: 5, max: 6, worth: 5 },
  { heading: 'COUNT', min: 5, max: WIDE_COUNT, worth: 6, align: 'right' },
  { heading: 'TYPE', min: 7, max: 7, worth: 1 },
  { heading: 'REASON', min: 9, max: 10, worth: 4 },
  { heading: 'OBJECT', min: 6, max: 12, worth: 2, elides: true },
  { heading: 'MESSAGE', min: 44, max: 1000, worth: 9, weight: 3, elides: true },
];

export function eventRows(events: readonly ListedEvent[], now: number): TableRow[] {
  return events.map((event) => ({
    id: event.id,
    content: (widths) => eventCells(event, now, widths[COUNT] === WIDE_COUNT),
  }));
}

function eventCells(event: ListedEvent, now: number, isWide: boolean): Line[] {
  const { type, reason, message, container, count, firstAt, lastAt, isNote = false } = event;
  const since = isWide && count > 1 ? ` in ${age(now - firstAt)}` : '';
  const tone = isNote ? 'info' : type === 'Warning' ? 'warn' : 'plain';
  const object = isNote ? '' : container === '' ? 'pod' : container;
  return [
    line(age(now - lastAt), 'dim'),
    line(`${count}${since}`, count > 1 ? 'plain' : 'dim'),
    line(isNote ? 'Note' : type, tone),
    line(reason, tone),
    line(object, 'dim'),
    [span(message.trim()), span(heldBackText(event), 'info')],
  ];
}

/** Tells what the kubelet's rate limit would have kept from the API server. */
function heldBackText({ count, sent, isNote = false }: ListedEvent): string {
  if (isNote || sent?.count === count) return '';
  const shown = sent === undefined ? 'kubectl does not show it' : `kubectl shows x${sent.count}`;
  return ` [held back: ${shown}]`;
}
