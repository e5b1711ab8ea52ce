import { Box } from 'ink';

import { line } from '../../text/line.js';
import { EVENT_COLUMNS, eventRows } from '../components/event-rows.js';
import { Row } from '../components/row.js';
import { Table } from '../components/table.js';
import { useSnapshot } from '../hooks/use-store.js';
import { eventOrder, listedEvents, listInView } from '../store/lists.js';
import { podInView, wrapsIn } from '../store/selection.js';
import type { Snapshot } from '../store/state.js';
import type { View } from './view.js';

const HELD_BACK =
  'held back: the kubelet sends 25 events of a type about a pod, then one more every 5 minutes';

export function eventsTitle(snapshot: Snapshot): string {
  const { name } = eventOrder(snapshot);
  return name === 'time' ? 'events' : `events by ${name}`;
}

export const EventsView: View = ({ columns, rows }) => {
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
