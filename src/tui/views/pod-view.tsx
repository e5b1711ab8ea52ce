import { Box } from 'ink';
import type { FC, PropsWithChildren } from 'react';

import type { Outlook } from '../../diagnosis/next-step.js';
import { outlooks } from '../../diagnosis/outlook.js';
import { outlookSubject } from '../../diagnosis/words.js';
import { elideLine, type Line, line, lineWidth, span } from '../../text/line.js';
import { hasDied } from '../../trace/summary/container-view.js';
import type { PodSummary } from '../../trace/summary/summary.js';
import { ColumnsProvider } from '../components/columns.js';
import {
  diagnosisRows,
  divergenceRows,
  OUTLOOK_FRAME,
  outlookLines,
  outlookRows,
} from '../components/format.js';
import { POD_COLUMNS, podRows } from '../components/pod-rows.js';
import { LaidRows, layTable, Row, Rows } from '../components/rows.js';
import { Scroll } from '../components/scroll.js';
import { Table } from '../components/table.js';
import { useSnapshot, useTheme } from '../hooks/use-store.js';
import { listedEvents, listInView } from '../store/lists.js';
import {
  chosenContainer,
  filterOf,
  matches,
  podInView,
  rowTargets,
  troublesOf,
  wrapsIn,
} from '../store/selection.js';
import { readsOnly, type Size, type Snapshot } from '../store/state.js';
import { EVENT_COLUMNS, eventRows, logRows } from './tab-views.js';
import { Lanes } from './timeline-view.js';

export const PodView: FC<Size> = (size) => {
  const snapshot = useSnapshot();
  const pod = podInView(snapshot);
  if (pod === undefined) {
    const text = readsOnly(snapshot.context) ? 'no pods: waiting for them' : 'starting …';
    return <Row line={line(text, 'dim')} width={size.columns} />;
  }
  const isLarge = size.columns >= PANELS.columns && size.rows >= PANELS.rows;
  const Layout = isLarge ? PodPanels : PodRows;
  return <Layout pod={pod} snapshot={snapshot} {...size} />;
};

/** From a terminal of 120×40 on there are panels. */
const PANELS: Size = { columns: 120, rows: 36 };

interface PodProps extends Size {
  readonly pod: PodSummary;
  readonly snapshot: Snapshot;
}

/** Rows that the events get at least, their heading included, and the outlook at most. */
const MIN_EVENTS = 4;
/** Below this height there are events only where room is left. */
const LOW = 16;
const MAX_OUTLOOK = 8;
/** Below this height the table is all there is. */
const TABLE_ONLY = 9;

const PodRows: FC<PodProps> = ({ pod, snapshot, columns, rows: height }) => {
  const trouble = troubleRows(pod, snapshot, columns);
  const top = trouble.length === 0 ? [] : [...trouble, line('─'.repeat(columns), 'dim')];
  const table = tableOf(pod, snapshot, columns);
  const { heading, lines } = table.laid;
  const headings = heading.length > 0 ? 1 : 0;
  const sentences = height < TABLE_ONLY ? [] : otherOutlooks(pod, snapshot);
  const left = height - headings - top.length;
  const least = height < LOW ? 0 : MIN_EVENTS;
  const room = Math.max(0, left - Math.min(lines.length, Math.ceil(left / 2)) - least);
  const wanted =
    sentences.length === 0 ? 0 : Math.min(MAX_OUTLOOK, 2 * sentences.length) + OUTLOOK_FRAME;
  const next = outlookRows(sentences, columns, Math.min(room, wanted));
  const spared = least === 0 ? 0 : Math.min(least, left - 3) + Math.min(room, wanted) - next.length;
  const free = Math.max(spared, left - lines.length - next.length);
  const logs = Math.min(logsHeight(snapshot), Math.max(0, free - eventsHeight(pod)));
  const events = free < 2 ? 0 : free - (logs < MIN_LOGS ? 0 : logs);
  return (
    <Box flexDirection="column">
      <Rows lines={top} width={columns} />
      <LaidRows
        {...table}
        id={`pod ${pod.key}`}
        height={Math.max(headings, left + headings - next.length - (free < 2 ? 0 : free))}
      />
      <Rows lines={next} width={columns} />
      {events > 0 && <LatestEvents pod={pod} width={columns} height={events} />}
      {logs >= MIN_LOGS && <LatestLogs width={columns} height={logs} />}
    </Box>
  );
};

/** Rows that the output of the chosen container gets at least, its title included. */
const MIN_LOGS = 3;

/** Rows of all events, up to those that are left to them where there is output to show, with their heading. */
function eventsHeight({ events }: PodSummary): number {
  return Math.min(events.length, MIN_EVENTS) + 1;
}

/** Rows of the latest output of a container that has died, with a title. */
function logsHeight(snapshot: Snapshot): number {
  const found = chosenContainer(snapshot);
  if (found === undefined || !found.container.runs.some(hasDied)) return 0;
  if (found.container.output.length === 0) return 0;
  const { container } = found;
  const output = container.output.slice(-MAX_LOGS);
  return logRows({ container, output, wraps: true }).length + 1;
}

/** Lines of output that the first view shows at most. */
const MAX_LOGS = 12;

const LatestLogs: FC<PartSize> = ({ width, height }) => {
  const found = chosenContainer(useSnapshot());
  if (found === undefined) return null;
  const { container } = found;
  const title = `─ logs of ${container.name}, l shows all `;
  const rest = '─'.repeat(Math.max(0, width - title.length));
  const output = container.output.slice(-MAX_LOGS);
  return (
    <Box flexDirection="column" height={height} flexShrink={0}>
      <Rows lines={[line(`${title}${rest}`, 'dim')]} width={width} />
      <Scroll follows>{logRows({ container, output, wraps: true })}</Scroll>
    </Box>
  );
};

/** Rows of panels within their borders, at most. */
const MAX_NEXT = 6;
const MAX_LANES = 12;
const MIN_BELOW = 6;

/** The same with borders, a live timeline, and the chosen container's output. */
const PodPanels: FC<PodProps> = ({ pod, snapshot, columns, rows }) => {
  const inner = columns - BORDER;
  const trouble = troubleRows(pod, snapshot, columns);
  const table = tableOf(pod, snapshot, inner);
  const next = outlookLines(otherOutlooks(pod, snapshot), inner).slice(0, MAX_NEXT);
  const nextHeight = next.length === 0 ? 0 : next.length + BORDER;
  const room = rows - trouble.length - nextHeight;
  const { heading, lines } = table.laid;
  const wanted = Math.max(1, lines.length) + (heading.length > 0 ? 1 : 0) + BORDER;
  const tableHeight = Math.min(wanted, Math.ceil(room / 2));
  const lanes = Math.min(rowTargets(pod, snapshot).length, MAX_LANES) + 1 + BORDER;
  const lanesHeight = room - tableHeight - lanes < MIN_BELOW ? 0 : lanes;
  const height = room - tableHeight - lanesHeight;
  const eventsWidth = Math.ceil(columns * 0.63);
  return (
    <Box flexDirection="column">
      <Rows lines={trouble} width={columns} />
      <Panel title="containers and probes" width={columns} height={tableHeight}>
        <LaidRows {...table} id={`pod ${pod.key}`} height={tableHeight - BORDER} />
      </Panel>
      {nextHeight > 0 && (
        <Panel title="what the kubelet does next" width={columns} height={nextHeight}>
          <Rows lines={next} width={inner} />
        </Panel>
      )}
      {lanesHeight > 0 && (
        <Panel title="timeline" width={columns} height={lanesHeight}>
          <Lanes pod={pod} />
        </Panel>
      )}
      <Box>
        <Panel title="events" width={eventsWidth} height={height}>
          <LatestEvents pod={pod} width={eventsWidth - BORDER} height={height - BORDER} />
        </Panel>
        <LogsPanel width={columns - eventsWidth} height={height} />
      </Box>
    </Box>
  );
};

interface PartSize {
  readonly width: number;
  readonly height: number;
}

const LogsPanel: FC<PartSize> = ({ width, height }) => {
  const found = chosenContainer(useSnapshot());
  if (found === undefined) return null;
  const { container } = found;
  const output = container.output.slice(-height);
  return (
    <Panel title={`logs of ${container.name}`} width={width} height={height}>
      <Scroll follows>{logRows({ container, output, wraps: true })}</Scroll>
    </Panel>
  );
};

const LatestEvents: FC<PartSize & { readonly pod: PodSummary }> = ({ pod, height }) => {
  const snapshot = useSnapshot();
  const rows = eventRows(listedEvents(pod, snapshot, true), snapshot.now).slice(1 - height);
  return (
    <Box height={height} flexShrink={0} flexDirection="column">
      <Table columns={EVENT_COLUMNS} rows={rows} follows />
    </Box>
  );
};

function tableOf(pod: PodSummary, snapshot: Snapshot, width: number) {
  const rows = podRows(pod, snapshot, width);
  const { chosen, total } = listInView(snapshot) ?? {};
  const laid = layTable({ columns: POD_COLUMNS, rows, width, chosen, isMarked: true });
  return { laid, width, total };
}

/** Rows of each part of a diagnosis, at most. */
const MAX_TROUBLE_ROWS = 2;

/** The worst trouble, and the first thing that a cluster's kubelet did otherwise. */
function troubleRows(pod: PodSummary, snapshot: Snapshot, width: number): Line[] {
  const max = wrapsIn(snapshot) ? Infinity : MAX_TROUBLE_ROWS;
  const [worst] = snapshot.context.hints ? troublesOf(pod, snapshot) : [];
  return [...divergenceRows(pod, width, max), ...diagnosisRows(worst, width, max)];
}

/** The outlooks but that of the worst trouble, whose next step is in its diagnosis. */
function otherOutlooks(pod: PodSummary, snapshot: Snapshot): Outlook[] {
  const { now, context } = snapshot;
  const [worst] = context.hints ? troublesOf(pod, snapshot) : [];
  const filter = filterOf(snapshot);
  return outlooks(pod, now, context.isSimulated).filter(
    (each) => matches(outlookSubject(each), filter) && !isSameStep(each, worst?.next),
  );
}

function isSameStep(a: Outlook, b: Outlook | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Columns and rows that the border takes. */
const BORDER = 2;

const SIDE = { topLeft: '', top: '', topRight: '', bottomLeft: '└', bottom: '─', bottomRight: '┘' };
const UNICODE = { ...SIDE, left: '│', right: '│' };
const ASCII = { ...SIDE, bottomLeft: '+', bottom: '-', bottomRight: '+', left: '|', right: '|' };

const Panel: FC<PropsWithChildren<PartSize & { readonly title: string }>> = (panel) => {
  const { title, width, height, children } = panel;
  const { unicode } = useTheme();
  return (
    <Box flexDirection="column" width={width} height={height} flexShrink={0}>
      <Row line={topLine(title, width)} width={width} />
      <Box
        flexDirection="column"
        width={width}
        height={height - 1}
        borderStyle={unicode ? UNICODE : ASCII}
        borderTop={false}
        borderDimColor
      >
        <ColumnsProvider value={width - BORDER}>{children}</ColumnsProvider>
      </Box>
    </Box>
  );
};

function topLine(title: string, width: number): Line {
  const name = elideLine(line(` ${title} `, 'info'), width - 4);
  const rest = '─'.repeat(Math.max(0, width - 3 - lineWidth(name)));
  return [span('┌─', 'dim'), ...name, span(`${rest}┐`, 'dim')];
}
