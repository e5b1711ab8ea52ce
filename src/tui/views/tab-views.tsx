import { Box } from 'ink';
import type { FC } from 'react';

import { runSentence } from '../../diagnosis/words.js';
import { podStatusYaml } from '../../report/machine-output.js';
import { age, clockColumn } from '../../text/duration.js';
import { hangingRows, type Line, line, span, wrapText } from '../../text/line.js';
import type { ContainerView, OutputLine, RunView } from '../../trace/summary/container-view.js';
import { Row, ScrollBox, Table, type TableColumn, type TableRow } from '../components/rows.js';
import { useSnapshot } from '../hooks/use-store.js';
import { eventOrder, type ListedEvent, listedEvents, listInView } from '../store/lists.js';
import { chosenContainer, filterOf, matches, podInView, wrapsIn } from '../store/selection.js';
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
  return found === undefined ? 'logs' : `logs of ${found.container.name}`;
}

export const LogsView: FC<Size> = ({ columns, rows }) => {
  const snapshot = useSnapshot();
  const found = chosenContainer(snapshot);
  if (found === undefined) return null;
  const { pod, container } = found;
  const width = wrapsIn(snapshot) ? columns : Infinity;
  const filter = filterOf(snapshot);
  const output = container.output.filter(({ text }) => matches(text, filter));
  return (
    <ScrollBox
      id={`logs ${pod.key} ${container.name}`}
      lines={logLines(container, output, width)}
      width={columns}
      height={rows}
      follows
      shown={output.length}
      total={container.output.length}
      gone={container.outputCount - container.output.length}
    />
  );
};

/** The given output of a container, run by run; lines longer than the width take several rows. */
export function logLines(
  container: ContainerView,
  output: readonly OutputLine[],
  width: number,
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
      const written = output.filter((one) => one.run === run.run);
      const [begin = [], ...end] = runRows(container, run);
      return [begin, ...written.flatMap((one) => outputRows(one, width)), ...end];
    });
}

function outputRows({ t, stream, text }: OutputLine, width: number): Line[] {
  const time = span(`${clockColumn(t)} `, 'dim');
  return hangingRows(time, text, width, stream === 'stderr' ? 'warn' : 'plain');
}

function runRows(container: ContainerView, run: RunView): Line[] {
  const { startedAt, endedAt, exitCode } = run;
  const from = startedAt === undefined ? '' : `from ${startedAt.toFixed(1)} s `;
  const begin = line(`── run ${run.run} ${from}──`, 'info');
  if (endedAt === undefined) return [begin];
  const exit = exitCode === undefined ? '' : `, exit ${exitCode}`;
  const lived = startedAt === undefined ? '' : `, after ${age(endedAt - startedAt)}`;
  const why = runSentence(container, run);
  return [begin, line(`── run ${run.run} ended${exit}${lived}: ${why} ──`, 'bad')];
}
