import { Box } from 'ink';
import type { FC } from 'react';

import { runSentence } from '../../diagnosis/words.js';
import { podStatusYaml } from '../../report/pod-status-yaml.js';
import { age, clockColumn } from '../../text/duration.js';
import { hangingRows, type Line, line, lineText, span, wrapText } from '../../text/line.js';
import type { ContainerView, OutputLine, RunView } from '../../trace/summary/container-view.js';
import { coloredLine, coloredRows, markMatches } from '../components/ansi.js';
import { Row, ScrollBox, Table, type TableColumn, type TableRow } from '../components/rows.js';
import { useSnapshot } from '../hooks/use-store.js';
import { eventOrder, type ListedEvent, listedEvents, listInView } from '../store/lists.js';
import {
  chosenContainer,
  filterOf,
  type FoundContainer,
  matches,
  podInView,
  wrapsIn,
} from '../store/selection.js';
import type { Size, Snapshot } from '../store/state.js';

const HELD_BACK =
  '*: held back, the kubelet sends 25 events of a type about a pod, then one more every 5 minutes';

export function eventsTitle(snapshot: Snapshot): string {
  const { name } = eventOrder(snapshot);
  return name === 'time' ? 'events' : `events by ${name}`;
}

export const EventsView: FC<Size> = ({ columns, rows }) => {
  const snapshot = useSnapshot();
  const pod = podInView(snapshot);
  if (pod === undefined) return null;
  const { chosen, total } = listInView(snapshot) ?? {};
  const hasHeldBack = pod.events.some(({ sent, count }) => sent?.count !== count);
  return (
    <Box flexDirection="column">
      <Table
        id={`events ${pod.key}`}
        columns={EVENT_COLUMNS}
        rows={eventRows(listedEvents(pod, snapshot), snapshot.now, chosen)}
        width={columns}
        height={rows - (hasHeldBack ? 1 : 0)}
        chosen={chosen}
        total={total}
        wraps={wrapsIn(snapshot)}
        follows
      />
      {hasHeldBack && <Row line={line(HELD_BACK, 'dim')} width={columns} />}
    </Box>
  );
};

/** Columns of a count that says in which time. */
const WIDE_COUNT = 11;
const COUNT = 1;

export const EVENT_COLUMNS: readonly TableColumn[] = [
  { heading: 'AGE', min: 5, max: 6, priority: 5 },
  { heading: 'COUNT', min: 5, max: WIDE_COUNT, priority: 6, align: 'right' },
  { heading: 'TYPE', min: 7, max: 7, priority: 1 },
  { heading: 'REASON', min: 9, max: 10, priority: 4 },
  { heading: 'OBJECT', min: 6, max: 12, priority: 2, elides: true },
  { heading: 'MESSAGE', min: 44, max: 1000, priority: 9, weight: 3, elides: true },
];

export function eventRows(
  events: readonly ListedEvent[],
  now: number,
  chosen?: string,
): TableRow[] {
  return events.map((event) => ({
    id: event.id,
    content: (widths) => eventCells(event, now, widths[COUNT] === WIDE_COUNT),
    remarks: event.id === chosen && isHeldBack(event) ? [line(heldBackText(event), 'info')] : [],
  }));
}

function eventCells(event: ListedEvent, now: number, isWide: boolean): Line[] {
  const { type, reason, message, container, count, firstAt, lastAt, isNote = false } = event;
  const since = isWide && count > 1 ? ` in ${age(now - firstAt)}` : '';
  const tone = isNote ? 'info' : type === 'Warning' ? 'warn' : 'plain';
  const object = isNote ? '' : container === '' ? 'pod' : container;
  return [
    line(age(now - lastAt), 'dim'),
    line(`${count}${since}${isHeldBack(event) ? '*' : ''}`, count > 1 ? 'plain' : 'dim'),
    line(isNote ? 'Note' : type, tone),
    line(reason, tone),
    line(object, 'dim'),
    line(message.trim()),
  ];
}

/** Reports whether the kubelet's rate limit would have kept occurrences from the API server. */
function isHeldBack({ count, sent, isNote = false }: ListedEvent): boolean {
  return !isNote && sent?.count !== count;
}

function heldBackText({ sent }: ListedEvent): string {
  const shown = sent === undefined ? 'kubectl does not show it' : `kubectl shows x${sent.count}`;
  return `    held back: ${shown}`;
}

export const StatusView: FC<Size> = ({ columns, rows }) => {
  const snapshot = useSnapshot();
  const pod = podInView(snapshot);
  if (pod === undefined) return null;
  const wraps = wrapsIn(snapshot);
  const filter = filterOf(snapshot);
  const texts = podStatusYaml([pod]).trimEnd().split('\n');
  const shown = texts.filter((text) => matches(text, filter));
  const lines = shown.flatMap((text) => (wraps ? wrapText(text, columns) : [text])).map(yamlLine);
  const counts = { shown: shown.length, total: texts.length };
  return (
    <ScrollBox id={`status ${pod.key}`} lines={lines} {...counts} width={columns} height={rows} />
  );
};

function yamlLine(text: string): Line {
  const match = /^(\s*(?:- )?)([\w.]+:)(.*)$/.exec(text);
  if (match === null) return [span(text)];
  const [, indent = '', key = '', value = ''] = match;
  return [span(indent), span(key, 'info'), span(value)];
}

export function logsTitle(snapshot: Snapshot): string {
  const found = chosenContainer(snapshot);
  if (found === undefined) return 'logs';
  const { name, output } = found.container;
  const [first] = output;
  const since = first === undefined ? '' : ` since ${first.t.toFixed(1)} s`;
  const kept = snapshot.ui.scroll[logsID(found)] ?? 'end';
  const follows = kept === 'end' ? ', follows' : '';
  return `logs of ${name}${since}${follows}`;
}

/** The key of the scroll position of a container's output. */
function logsID({ pod, container }: FoundContainer): string {
  return `logs ${pod.key} ${container.name}`;
}

export const LogsView: FC<Size> = ({ columns, rows }) => {
  const snapshot = useSnapshot();
  const found = chosenContainer(snapshot);
  if (found === undefined) return null;
  const { container } = found;
  const width = wrapsIn(snapshot) ? columns : Infinity;
  const filter = filterOf(snapshot);
  const lines = logLines(container, container.output, width, filter);
  const matching = container.output.filter(({ text }) => matches(text, filter));
  return (
    <ScrollBox
      id={logsID(found)}
      lines={lines}
      width={columns}
      height={rows}
      follows
      matches={filter === '' ? [] : matchingRows(lines, filter)}
      shown={matching.length}
      total={container.output.length}
      gone={container.outputCount - container.output.length}
    />
  );
};

function matchingRows(lines: readonly Line[], filter: string): number[] {
  return lines.flatMap((parts, index) => (matches(lineText(parts), filter) ? index : []));
}

/** The given output of a container, run by run; lines longer than the width take several rows. */
export function logLines(
  container: ContainerView,
  output: readonly OutputLine[],
  width: number,
  marked = '',
): Line[] {
  const { runs } = container;
  if (container.outputCount === 0) {
    return [
      ...runs.flatMap((run) => runRows(container, run)),
      line('kprobe sees no output from this container', 'dim'),
    ];
  }
  const from = container.output[0]?.run ?? 0;
  return runs
    .filter(({ run }) => run >= from)
    .flatMap((run) => {
      const written = output.filter((each) => each.run === run.run);
      const [begin = [], ...end] = runRows(container, run);
      return [begin, ...written.flatMap((each) => outputRows(each, width, marked)), ...end];
    });
}

function outputRows({ t, stream, text }: OutputLine, width: number, marked: string): Line[] {
  const time = span(`${clockColumn(t)} `, 'dim');
  const usual = stream === 'stderr' ? 'warn' : 'plain';
  const isColored = text.includes('\x1b[');
  if (!isColored && marked === '') return hangingRows(time, text, width, usual);
  return coloredRows(time, markMatches(coloredLine(text, usual), marked), width);
}

function runRows(container: ContainerView, run: RunView): Line[] {
  const { startedAt, endedAt, exitCode } = run;
  const from = startedAt === undefined ? '' : `from ${startedAt.toFixed(1)} s `;
  const begin = line(`── run ${run.run} ${from}──`, 'info');
  if (endedAt === undefined) return [begin];
  const exit = exitCode === undefined ? '' : `, exit ${exitCode}`;
  const lived = startedAt === undefined ? '' : `, after ${age(endedAt - startedAt)}`;
  const reason = runSentence(container, run);
  return [begin, line(`── run ${run.run} ended${exit}${lived}: ${reason} ──`, 'bad')];
}
