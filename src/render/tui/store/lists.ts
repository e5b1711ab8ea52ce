import { listedEvents } from './events.js';
import {
  chosenPod,
  chosenTarget,
  listedPods,
  POD_LIST,
  podInView,
  rowTargets,
  viewName,
} from './selection.js';
import type { Snapshot } from './state.js';

/** A list whose rows can be chosen. */
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
    const total = snapshot.summary.pods.length;
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
