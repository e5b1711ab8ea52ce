import type { PodSummary } from '../../../trace/summary/summary.js';
import { type Line, line } from '../../text/line.js';
import { matches } from '../format.js';
import { choose } from '../keys.js';
import { chosenTarget, podInView, rowTargets } from '../selection.js';
import { type Snapshot, withChosen } from '../state.js';
import { eventRows, eventTable } from './events-view.js';
import { OUTLOOK_FRAME, outlookRows, outlooks } from './outlook.js';
import { podTable, type TableRow } from './pod-table.js';
import type { View, ViewKind } from './view.js';

/** Rows that the events get at least, their heading included, and the outlook at most. */
const MIN_EVENTS = 4;
const MAX_OUTLOOK = 8;
/** Below this height the table is all there is. */
const TABLE_ONLY = 9;

export const podView: ViewKind = {
  title: () => '',
  show(snapshot, height) {
    const pod = podInView(snapshot);
    return pod === undefined
      ? { head: [line('starting …', 'dim')] }
      : showPod(pod, snapshot, height);
  },
  press(snapshot, key) {
    const { ui, size } = snapshot;
    const pod = podInView(snapshot);
    if (pod === undefined) return undefined;
    const ids = rowTargets(pod, ui.filter).map(({ id }) => id);
    const id = choose(ids, chosenTarget(pod, snapshot)?.id, key, size.rows / 3);
    return id === undefined ? undefined : { ui: withChosen(ui, pod.key, id) };
  },
  keys: [
    { key: 'enter', word: 'attempt', sentence: "show the chosen probe's latest attempt" },
    { key: 't', word: 'probe now', sentence: 'run the chosen probe now', isLive: true },
    { key: 'd', word: 'describe', sentence: 'show all settings and counters of the chosen row' },
    { key: 'x', word: 'explain', sentence: "explain the chosen probe's timing" },
    { key: 'r', word: 'restart', sentence: 'restart the chosen container', isLive: true },
    { key: 'j k', word: 'choose', sentence: 'choose a container or probe' },
  ],
};

function showPod(pod: PodSummary, snapshot: Snapshot, height: number): View {
  const { now, about, ui, size } = snapshot;
  const chosen = chosenTarget(pod, snapshot)?.id;
  const { headings, rows } = podTable(pod, snapshot, chosen);
  const sentences =
    height < TABLE_ONLY
      ? []
      : outlooks(pod, now, about.isSimulated).filter((one) => matches(one.about, ui.filter));
  const left = height - headings.length;
  const room = Math.max(0, left - Math.min(rows.length, Math.ceil(left / 2)) - MIN_EVENTS);
  const wanted =
    sentences.length === 0 ? 0 : Math.min(MAX_OUTLOOK, 2 * sentences.length) + OUTLOOK_FRAME;
  const next = outlookRows(sentences, size.columns, Math.min(room, wanted));
  const events = Math.max(
    Math.min(MIN_EVENTS, left - 3) + Math.min(room, wanted) - next.length,
    left - rows.length - next.length,
  );
  return {
    head: headings,
    body: {
      id: `pod ${pod.key}`,
      rows: rows.map((row) => row.line),
      chosen: lastRowOf(rows, chosen),
    },
    tail: [...next, ...latestEvents(pod, snapshot, events)],
  };
}

/** The last row that belongs to the chosen one: its remarks have to be visible, too. */
function lastRowOf(rows: readonly TableRow[], chosen: string | undefined): number {
  const at = rows.findIndex(({ id }) => id !== undefined && id === chosen);
  if (at === -1) return -1;
  const next = rows.findIndex(({ id }, index) => index > at && id !== undefined);
  return (next === -1 ? rows.length : next) - 1;
}

function latestEvents(pod: PodSummary, snapshot: Snapshot, height: number): Line[] {
  const { summary, now, size, ui } = snapshot;
  if (height < 2) return [];
  const latest = eventRows(pod, summary, ui.filter).slice(-(height - 1));
  const lines = eventTable(latest, size.columns, now);
  return [...lines, ...Array.from({ length: height - lines.length }, (): Line => [])];
}
