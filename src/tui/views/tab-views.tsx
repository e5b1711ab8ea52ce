import { Box } from 'ink';
import { type FC, type ReactElement, useEffect } from 'react';

import { runSentence } from '../../diagnosis/words.js';
import { podStatusYaml } from '../../report/pod-status-yaml.js';
import { age, clockColumn } from '../../text/duration.js';
import { type Line, line, textWidth } from '../../text/line.js';
import {
  type ContainerView,
  lastStarted,
  type OutputLine,
  type RunView,
} from '../../trace/summary/container-view.js';
import { coloredLine, markMatches } from '../components/ansi.js';
import { useColumns } from '../components/columns.js';
import { Scroll } from '../components/scroll.js';
import { Table, type TableColumn, type TableRow } from '../components/table.js';
import { Paragraph, Spans, Text } from '../components/text.js';
import { useSnapshot, useStore } from '../hooks/use-store.js';
import { eventOrder, type ListedEvent, listedEvents, listInView } from '../store/lists.js';
import {
  chosenContainer,
  filterOf,
  type FoundContainer,
  matches,
  podInView,
  wrapsIn,
} from '../store/selection.js';
import { LOW_ROWS, readsOnly, type Snapshot } from '../store/state.js';

const HELD_BACK =
  '*: held back, the kubelet sends 25 events of a type about a pod, then one more every 5 minutes';

export function eventsTitle(snapshot: Snapshot): string {
  const { name } = eventOrder(snapshot);
  return name === 'time' ? 'events' : `events by ${name}`;
}

export const EventsView: FC = () => {
  const snapshot = useSnapshot();
  const columns = useColumns();
  const pod = podInView(snapshot);
  if (pod === undefined) return null;
  const { chosen, total } = listInView(snapshot) ?? {};
  const events = listedEvents(pod, snapshot);
  // On low screens only the chosen event says so.
  const hasHeldBack =
    snapshot.size.rows >= LOW_ROWS && pod.events.some(({ sent, count }) => sent?.count !== count);
  return (
    <>
      <Table
        id={`events ${pod.key}`}
        columns={eventColumns(columns, events)}
        rows={eventRows(events, snapshot.now, chosen)}
        chosen={chosen}
        total={total}
        wraps={wrapsIn(snapshot)}
        follows
      />
      {hasHeldBack && (
        <Box flexShrink={0}>
          <Paragraph tone="dim" text={HELD_BACK} />
        </Box>
      )}
    </>
  );
};

/** Columns of a count with its time. */
const WIDE_COUNT = 11;
const COUNT = 1;
const [REASON, OBJECT, MAX_OBJECT, MESSAGE, NARROW_MESSAGE] = [10, 6, 12, 44, 26];

const FIRST_COLUMNS: readonly TableColumn[] = [
  { heading: 'AGE', min: 5, max: 6, priority: 5 },
  { heading: 'COUNT', min: 5, max: WIDE_COUNT, priority: 6, align: 'right' },
  { heading: 'TYPE', min: 7, max: 7, priority: 1 },
];
const NARROW = 56;

/** Returns the columns for events; names of containers have the width that they need, and reasons where there is room. */
export function eventColumns(columns: number, events: readonly ListedEvent[]): TableColumn[] {
  const longest = Math.max(OBJECT, ...events.map(({ container }) => textWidth(container)));
  const object = Math.min(MAX_OBJECT, longest);
  const reason = Math.max(REASON, ...events.map((event) => textWidth(event.reason)));
  // A narrow screen has room for age and count beside a shorter message.
  const message = columns < NARROW ? NARROW_MESSAGE : MESSAGE + OBJECT - object;
  return [
    ...FIRST_COLUMNS,
    { heading: 'REASON', min: 9, max: reason, priority: 4, cut: 'middle' },
    { heading: 'OBJECT', min: object, max: object, priority: 2, cut: 'middle' },
    { heading: 'MESSAGE', min: message, max: 1000, priority: 9, weight: 3, cut: 'middle' },
  ];
}

export function eventRows(
  events: readonly ListedEvent[],
  now: number,
  chosen?: string,
): TableRow[] {
  return events.map((event) => ({
    id: event.id,
    content: (widths) => eventCells(event, now, widths[COUNT] === WIDE_COUNT),
    remarks: event.id === chosen && isHeldBack(event) && (
      <Text tone="info">{heldBackText(event)}</Text>
    ),
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

export const StatusView: FC = () => {
  const snapshot = useSnapshot();
  const pod = podInView(snapshot);
  if (pod === undefined) return null;
  const lines = podStatusYaml([pod]).trimEnd().split('\n');
  const shown = lines.filter((text) => matches(text, filterOf(snapshot)));
  return (
    <Scroll id={`status ${pod.key}`} total={lines.length}>
      {shown.map((text, index) => (
        <YamlLine key={index} text={text} />
      ))}
    </Scroll>
  );
};

const YamlLine: FC<{ readonly text: string }> = ({ text }) => {
  const [, indent = '', key = '', value = text] = /^(\s*(?:- )?)([\w.]+:)(.*)$/.exec(text) ?? [];
  return (
    <Text wrap={wrapsIn(useSnapshot()) ? 'wrap' : 'truncate'}>
      {indent}
      <Text tone="info">{key}</Text>
      {value}
    </Text>
  );
};

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

export const LogsView: FC = () => {
  const snapshot = useSnapshot();
  const { followLog } = useStore();
  const found = chosenContainer(snapshot);
  const run = found && lastStarted(found.container)?.run;
  useEffect(() => {
    if (found && run !== undefined)
      followLog({ pod: found.pod.key, container: found.container.name });
  }, [found?.pod.key, found?.container.name, run]);
  if (found === undefined) return null;
  const { container } = found;
  const { output, outputCount, runs } = container;
  const gone = outputCount - output.length;
  const marked = filterOf(snapshot);
  const matching =
    marked === ''
      ? runs.flatMap(({ run, endedAt }) => (endedAt === undefined ? [] : `run ${run}`))
      : output.flatMap(({ text }, index) => (matches(text, marked) ? `${gone + index}` : []));
  const match = matching.find((key) => key === snapshot.ui.chosen[logsID(found)]);
  return (
    <Scroll
      id={logsID(found)}
      follows
      matching={matching}
      shown={marked === '' ? output.length : matching.length}
      total={output.length}
      gone={gone}
    >
      {logRows({ container, output, wraps: wrapsIn(snapshot), marked, match })}
    </Scroll>
  );
};

interface LogRowsProps {
  readonly container: ContainerView;
  /** The container's output, or its end. */
  readonly output: readonly OutputLine[];
  readonly wraps: boolean;
  readonly marked?: string;
  /** The key of the row that `n`, `N` or `p` have reached. */
  readonly match?: string | undefined;
}

export function logRows(props: LogRowsProps): ReactElement[] {
  const { container, output, wraps, marked = '', match } = props;
  const { runs, outputCount } = container;
  const first = outputCount - output.length;
  const rows = output.map((line, index) => ({
    run: line.run,
    element: (
      <OutputRow
        key={first + index}
        {...line}
        wraps={wraps}
        marked={marked}
        isMatch={match === `${first + index}`}
      />
    ),
  }));
  return [
    ...runs
      .filter(({ run }) => run >= (container.output[0]?.run ?? 0))
      .flatMap((run) => [
        <RunBegin key={`run ${run.run}`} {...run} isMatch={match === `run ${run.run}`} />,
        ...rows.filter((row) => row.run === run.run).map(({ element }) => element),
        ...(run.endedAt === undefined
          ? []
          : [<RunEnd key={`end ${run.run}`} container={container} run={run} wraps={wraps} />]),
      ]),
    ...(outputCount === 0 ? [<NoOutput key="none" container={container} />] : []),
  ];
}

const NoOutput: FC<Pick<LogRowsProps, 'container'>> = ({ container }) => (
  <Paragraph text={noOutputText(container, useSnapshot())} tone="dim" />
);

/** Returns why there is no output of a container. */
function noOutputText(container: ContainerView, snapshot: Snapshot): string {
  const { runs, name } = container;
  const { context } = snapshot;
  const { key = '' } = podInView(snapshot) ?? {};
  if (runs.length === 0) return 'the container has not started';
  if (runs.at(-1)?.wroteNothing === true) return 'the container has written nothing';
  if (context.replayLength !== undefined) return 'no output was recorded';
  // Of several containers, kprobe may have started some.
  const isStarted =
    ['process', 'containers'].includes(context.target) && !context.isSimulated(key, name);
  return readsOnly(context) || isStarted
    ? 'the container has written nothing so far'
    : 'kprobe sees no output from this container';
}

type OutputRowProps = OutputLine & Required<Pick<LogRowsProps, 'wraps' | 'marked'>>;

const OutputRow: FC<OutputRowProps & { readonly isMatch: boolean }> = (props) => {
  const { t, stream, text, wraps, marked, isMatch } = props;
  const line = markMatches(coloredLine(text, stream === 'stderr' ? 'warn' : 'plain'), marked);
  return (
    <Box>
      <Box flexShrink={0}>
        <Text tone="dim">{clockColumn(t)}</Text>
        <Text tone="info">{isMatch ? '▸' : ' '}</Text>
      </Box>
      <Text wrap={wraps ? 'wrap' : 'truncate'}>
        <Spans line={line} />
      </Text>
    </Box>
  );
};

const RunBegin: FC<RunView & { readonly isMatch: boolean }> = ({ run, startedAt, isMatch }) => {
  const from = startedAt === undefined ? '' : `from ${startedAt.toFixed(1)} s `;
  return <Text tone="info">{`${isMatch ? '▸' : '─'}─ run ${run} ${from}──`}</Text>;
};

const RunEnd: FC<Pick<LogRowsProps, 'container' | 'wraps'> & { readonly run: RunView }> = (
  props,
) => {
  const { container, run, wraps } = props;
  const { startedAt, endedAt = 0, exitCode } = run;
  const exit = exitCode === undefined ? '' : `, exit ${exitCode}`;
  const lived = startedAt === undefined ? '' : `, after ${age(endedAt - startedAt)}`;
  const text = `── run ${run.run} ended${exit}${lived}: ${runSentence(container, run)}`;
  return <Paragraph text={text} tone="bad" {...(wraps ? {} : { maxRows: 1 })} />;
};
