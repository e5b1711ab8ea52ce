import type { PodSummary } from '../../../trace/summary/summary.js';
import type { Snapshot } from '../store/snapshot.js';
import { columnWidths, tableRow } from '../text/columns.js';
import { EMPTY_LINE, line } from '../text/line.js';
import type { Line } from '../text/span.js';
import { span } from '../text/span.js';
import { windowStart } from '../text/window.js';
import { EVENT_COLUMNS, EVENT_HEADINGS, eventRow } from './event-rows.js';
import { outlooks } from './outlook.js';
import { podTable, rowTargets } from './pod-table.js';

/** A row as it is shown. */
export interface Row {
  readonly line: Line;
  readonly selected?: boolean;
}

/** The pod view's parts, each with the rows it gets of `height`. */
export interface PodView {
  readonly table: readonly Row[];
  readonly outlook: readonly Row[];
  readonly events: readonly Row[];
}

/** Rows that the events get at least, their heading included. */
const MIN_EVENTS = 4;
const MAX_OUTLOOK = 6;

export function podView(pod: PodSummary, snapshot: Snapshot, height: number): PodView {
  const { now, about, ui, size } = snapshot;
  const width = size.columns;
  const all = podTable(pod, now, about, ui.filter, width);
  const sentences = outlooks(pod, now, about.simulated);
  const lowest = Math.min(MIN_EVENTS, Math.max(0, height - 6));
  const outlookHeight = Math.min(MAX_OUTLOOK, sentences.length, Math.max(0, height - lowest - 5));
  const rest = height - (outlookHeight > 0 ? outlookHeight + 2 : 0);
  const tableHeight = Math.min(all.length, Math.max(1, rest - lowest));
  const chosen = chosenTarget(pod, snapshot);
  const at = all.findIndex(({ id }) => id === chosen);
  const start = windowStart(all.length, tableHeight, at, 0);
  return {
    table: all.slice(start, start + tableHeight).map(({ id, line: own }) => ({
      line: own,
      selected: id !== undefined && id === chosen,
    })),
    outlook: outlookRows(sentences.slice(0, outlookHeight), width),
    events: eventRows(pod, now, width, rest - tableHeight),
  };
}

/** The id of the chosen row: the first one, unless the user chose. */
export function chosenTarget(pod: PodSummary, { ui }: Snapshot): string | undefined {
  const targets = rowTargets(pod, ui.filter);
  const chosen = ui.chosen[pod.key];
  return targets.find(({ id }) => id === chosen)?.id ?? targets[0]?.id;
}

function outlookRows(sentences: readonly Line[], width: number): Row[] {
  if (sentences.length === 0) return [];
  const title = ' what the kubelet does next ';
  const top = `─${title}`.padEnd(width, '─');
  return [
    {
      line: [
        span(top.slice(0, 1), 'dim'),
        span(title, 'info'),
        span(top.slice(title.length + 1), 'dim'),
      ],
    },
    ...sentences.map((sentence) => ({ line: [span(' '), ...sentence] })),
    { line: line('─'.repeat(width), 'dim') },
  ];
}

/** The latest events, in the order in which they came. */
function eventRows({ events }: PodSummary, now: number, width: number, height: number): Row[] {
  if (height < 2) return [];
  const widths = columnWidths(EVENT_COLUMNS, width);
  const latest = events.slice(-(height - 1)).map((event) => eventRow(event, widths, now));
  const rows = [tableRow(EVENT_HEADINGS, EVENT_COLUMNS, widths), ...latest];
  while (rows.length < height) rows.push(EMPTY_LINE);
  return rows.map((own) => ({ line: own }));
}
