import type { EventView, PodSummary } from '../../trace/summary/summary.js';
import {
  chosenPod,
  chosenTarget,
  filterOf,
  listedPods,
  matches,
  type Order,
  orderIn,
  POD_LIST,
  podInView,
  podsInScope,
  rowTargets,
  sortBy,
  sortingOf,
  UNSORTED,
  viewName,
} from './selection.js';
import type { Snapshot } from './state.js';

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

export function eventOrder(snapshot: Snapshot): Order<ListedEvent> {
  return orderIn(ORDERS, sortingOf(snapshot, 'events'));
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
  const reported = pod.events.map((event): ListedEvent => {
    const { reason, container, message, firstAt } = event;
    return { ...event, id: `${reason} ${container} ${firstAt} ${message}` };
  });
  const events = [...noted, ...reported].filter(({ reason, container, message }) =>
    matches(`${reason} ${container} ${message}`, filter),
  );
  return sortBy(events, ORDERS, isLatest ? UNSORTED : sortingOf(snapshot, 'events'), snapshot);
}

export interface List {
  /** The key of its choice. */
  readonly id: string;
  readonly rows: readonly string[];
  /** Rows without the filter. */
  readonly total: number;
  readonly chosen: string | undefined;
  /** Shows its end while no row is chosen. */
  readonly follows?: boolean;
}

/** The list in view; undefined in views that only scroll. */
export function listInView(snapshot: Snapshot): List | undefined {
  const view = viewName(snapshot);
  if (view === 'pods') {
    const rows = listedPods(snapshot).map(({ key }) => key);
    const total = podsInScope(snapshot).length;
    return { id: POD_LIST, rows, total, chosen: chosenPod(snapshot)?.key };
  }
  const pod = podInView(snapshot);
  if (pod === undefined) return undefined;
  if (view === 'events') {
    const id = `events ${pod.key}`;
    const rows = listedEvents(pod, snapshot).map((event) => event.id);
    const chosen = rows.find((row) => row === snapshot.ui.chosen[id]);
    const total = pod.events.length + snapshot.summary.notes.length;
    return { id, rows, total, chosen, follows: true };
  }
  if (view !== 'pod' && view !== 'timeline') return undefined;
  const rows = rowTargets(pod, snapshot).map(({ id }) => id);
  const total = pod.containers.reduce((sum, { probes }) => sum + 1 + probes.length, 0);
  return { id: pod.key, rows, total, chosen: chosenTarget(pod, snapshot)?.id };
}
