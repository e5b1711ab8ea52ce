import type { EventView, PodSummary } from '../../../trace/summary/summary.js';
import { filterOf, matches, type Order, sortBy } from './selection.js';
import type { Snapshot } from './state.js';

/** An event, or a note of kprobe's own. */
export interface ListedEvent extends EventView {
  readonly id: string;
  readonly isNote?: boolean;
}

const ORDERS: readonly [Order<ListedEvent>, ...Order<ListedEvent>[]] = [
  { name: 'time', by: ({ lastAt }) => lastAt },
  { name: 'count', by: ({ count }) => count },
  { name: 'reason', by: ({ reason }) => reason },
  { name: 'object', by: ({ container }) => container },
];

export function eventOrder({ ui }: Snapshot): Order<ListedEvent> {
  return ORDERS[(ui.orders.events ?? 0) % ORDERS.length] ?? ORDERS[0];
}

/**
 * The pod's events and the run's notes that the filter lets through, in the order of the view, or with
 * `isLatest` of their last occurrence.
 */
export function listedEvents(pod: PodSummary, snapshot: Snapshot, isLatest = false): ListedEvent[] {
  const { notes } = snapshot.summary;
  const filter = filterOf(snapshot);
  const noted = notes.map(({ t, level, text }): ListedEvent => ({
    id: `note ${t} ${text}`,
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
  const own = pod.events.map((event): ListedEvent => {
    const { reason, container, message, firstAt } = event;
    return { ...event, id: `${reason} ${container} ${firstAt} ${message}` };
  });
  const events = [...noted, ...own].filter(({ reason, container, message }) =>
    matches(`${reason} ${container} ${message}`, filter),
  );
  return sortBy(events, isLatest ? ORDERS[0] : eventOrder(snapshot), snapshot);
}
