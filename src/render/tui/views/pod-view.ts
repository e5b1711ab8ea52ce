import type { PodSummary } from '../../../trace/summary/summary.js';
import { type Line, line } from '../../text/line.js';
import { tableRow } from '../../text/table.js';
import { matches } from '../format.js';
import { choose } from '../keys.js';
import { chosenTarget, podInView, rowTargets } from '../selection.js';
import { type Snapshot, withChosen } from '../state.js';
import { EVENT_COLUMNS, EVENT_HEADINGS, eventRow, eventWidths, happenings } from './events-view.js';
import { OUTLOOK_FRAME, outlookRows, outlooks } from './outlook.js';
import { podTable } from './pod-table.js';
import { NO_BODY, type Row, type View, type ViewKind } from './view.js';

/** Rows that the events get at least, their heading included, and the outlook at most. */
const MIN_EVENTS = 4;
const MAX_OUTLOOK = 8;
/** Below this height the table is all there is. */
const TABLE_ONLY = 9;

/** A pod: containers and probes, what comes next, and the latest events. */
export const podView: ViewKind = {
  title: () => '',
  show(snapshot, height) {
    const pod = podInView(snapshot);
    return pod === undefined ? STARTING : show(pod, snapshot, height);
  },
  press(snapshot, key) {
    const { ui, size } = snapshot;
    const pod = podInView(snapshot);
    if (pod === undefined) return undefined;
    const targets = rowTargets(pod, ui.filter);
    const at = targets.findIndex(({ id }) => id === chosenTarget(pod, snapshot)?.id);
    const to = choose(at, targets.length, key, size.rows / 3);
    const target = to === undefined ? undefined : targets[to];
    return target === undefined ? undefined : { ui: withChosen(ui, pod.key, target.id) };
  },
  keys: [
    { key: 'enter', word: 'attempt', sentence: "the chosen probe's latest attempt, whole" },
    { key: 't', word: 'probe now', sentence: 'have the chosen probe look now', isLive: true },
    { key: 'd', word: 'describe', sentence: 'all settings and counters of what is chosen' },
    { key: 'x', word: 'explain', sentence: "what the chosen probe's settings mean in time" },
    { key: 'r', word: 'restart', sentence: 'restart the chosen container', isLive: true },
    { key: 'j k', word: 'choose', sentence: 'choose a container or probe' },
  ],
};

const STARTING: View = { head: [{ line: line('starting …', 'dim') }], body: NO_BODY, tail: [] };

function show(pod: PodSummary, snapshot: Snapshot, height: number): View {
  const { now, about, ui, size } = snapshot;
  const width = size.columns;
  const chosen = chosenTarget(pod, snapshot)?.id;
  const options = { filter: ui.filter, chosen, width };
  const { headings, rows: table } = podTable(pod, now, about, options);
  const sentences =
    height < TABLE_ONLY
      ? []
      : outlooks(pod, now, about.isSimulated).filter((one) => matches(one.about, ui.filter));
  const plan = planHeights(
    height - (headings === undefined ? 0 : 1),
    table.length,
    sentences.length,
  );
  const next = outlookRows(sentences, width, plan.outlook);
  return {
    head: headings === undefined ? [] : [{ line: headings }],
    body: {
      id: `pod ${pod.key}`,
      count: table.length,
      row: (index) => ({ line: table[index]?.line ?? [] }),
      chosen: lastRowOf(table, chosen),
    },
    tail: [...next, ...eventRows(pod, snapshot, plan.events + plan.outlook - next.length)],
  };
}

/** The last row that belongs to what is chosen: what it says is to be in sight, too. */
function lastRowOf(table: readonly { readonly id?: string }[], chosen: string | undefined): number {
  const at = table.findIndex(({ id }) => id !== undefined && id === chosen);
  if (at === -1) return -1;
  const next = table.findIndex(({ id }, index) => index > at && id !== undefined);
  return (next === -1 ? table.length : next) - 1;
}

/** The table comes first, but leaves room for the others; then what comes next; the events get the rest. */
function planHeights(
  height: number,
  table: number,
  sentences: number,
): { readonly outlook: number; readonly events: number } {
  const room = Math.max(0, height - Math.min(table, Math.ceil(height / 2)) - MIN_EVENTS);
  const wanted = sentences === 0 ? 0 : Math.min(MAX_OUTLOOK, 2 * sentences) + OUTLOOK_FRAME;
  const outlook = Math.min(room, wanted);
  return { outlook, events: Math.max(Math.min(MIN_EVENTS, height - 3), height - table - outlook) };
}

/** The latest events, in the order in which they came. */
function eventRows(pod: PodSummary, { summary, now, size, ui }: Snapshot, height: number): Row[] {
  if (height < 2) return [];
  const latest = happenings(pod, summary, ui.filter).slice(-(height - 1));
  const widths = eventWidths(latest, size.columns);
  const rows = latest.map((event) => eventRow(event, widths, now));
  const lines: Line[] = [tableRow(EVENT_HEADINGS, EVENT_COLUMNS, widths), ...rows];
  while (lines.length < height) lines.push([]);
  return lines.map((own) => ({ line: own }));
}
