import { Box } from 'ink';
import { type FC, type PropsWithChildren, useMemo } from 'react';

import { outlookText, subjectText } from '../../diagnosis/words.js';
import { probeOf } from '../../kubelet/prober/probe-of.js';
import { podCells } from '../../report/pod-cells.js';
import { counted } from '../../text/count.js';
import { age, formatLatency } from '../../text/duration.js';
import { type Line, line, lineWidth, span } from '../../text/line.js';
import type { PodSummary, WorkloadView } from '../../trace/summary/summary.js';
import { ColumnsProvider, useColumns } from '../components/columns.js';
import { statusLine } from '../components/format.js';
import { Rule } from '../components/panel.js';
import { latencyBars } from '../components/pod-table.js';
import { CHART_ROWS, RolloutChart, RolloutCounts } from '../components/rollout-chart.js';
import { Table, type TableColumn, type TableRow } from '../components/table.js';
import { Text } from '../components/text.js';
import { StoreProvider, useSnapshot, useStore } from '../hooks/use-store.js';
import {
  chosenPod,
  hasChanged,
  listedPods,
  nextOf,
  orderIn,
  POD_LIST,
  POD_ORDERS,
  podsInScope,
  slowestProbe,
  sortingOf,
  standingOf,
  throttledShare,
  wrapsIn,
} from '../store/selection.js';
import { LOW_ROWS, type Size, type Snapshot } from '../store/state.js';
import { EventsAndLogs, PodView } from './pod-view.js';

interface PodColumn {
  readonly column: TableColumn;
  /** Returns the column's cell for a pod, in a number of terminal columns. */
  readonly cell: (pod: PodSummary, snapshot: Snapshot, width: number) => Line;
  /** Takes the width that its longest cell needs, and none where all are empty. */
  readonly isFitted?: boolean;
}

const COLUMNS: readonly PodColumn[] = [
  {
    column: { heading: '', min: 1, max: 1, priority: 9 },
    cell: (pod, snapshot) =>
      hasChanged(pod, snapshot) && pod !== chosenPod(snapshot) ? line('*', 'warn') : [],
  },
  {
    column: { heading: 'POD', min: 14, max: 60, priority: 10, weight: 3, cut: 'middle' },
    isFitted: true,
    cell: ({ object }) => line(object.metadata.name, 'strong'),
  },
  {
    column: { heading: 'NAMESPACE', min: 9, max: 24, priority: 5, cut: 'middle' },
    isFitted: true,
    cell: ({ object }, snapshot) => {
      const { namespace } = object.metadata;
      const isOnly = podsInScope(snapshot).every(
        (pod) => pod.object.metadata.namespace === namespace,
      );
      return isOnly ? [] : line(namespace, 'dim');
    },
  },
  {
    column: { heading: 'READY', min: 5, max: 7, priority: 8, align: 'right' },
    isFitted: true,
    cell: (pod) => {
      const { ready, containers } = podCells(pod);
      return line(`${ready}/${containers}`, ready === containers ? 'good' : 'bad');
    },
  },
  {
    column: { heading: 'STATUS', min: 8, max: 31, priority: 4, cut: 'middle' },
    isFitted: true,
    cell: statusLine,
  },
  {
    column: { heading: 'RESTARTS', min: 8, max: 10, priority: 6, align: 'right' },
    isFitted: true,
    cell: (pod) => {
      const { restarts } = podCells(pod);
      return line(`${restarts}`, restarts > 0 ? 'bad' : 'dim');
    },
  },
  {
    column: { heading: 'TROUBLE', min: 36, max: 120, priority: 7, weight: 6, cut: 'word' },
    isFitted: true,
    cell: (pod, snapshot) => {
      const { text, tone } = standingOf(pod, snapshot);
      return line(text, tone);
    },
  },
  {
    column: { heading: 'NEXT', min: 28, max: 80, priority: 1, weight: 2, cut: 'word' },
    cell: (pod, snapshot) => {
      const next = nextOf(pod, snapshot);
      return next === undefined
        ? []
        : line(`${subjectText(next)}: ${outlookText(next)}`, next.tone);
    },
  },
  {
    column: { heading: 'LATENCY', min: 18, max: 30, priority: 0 },
    cell: latencyCell,
  },
  {
    column: { heading: 'THROTTLED', min: 9, max: 11, priority: 2, align: 'right' },
    isFitted: true,
    cell: (pod) => {
      const share = throttledShare(pod);
      if (share === undefined) return [];
      return line(`${Math.round(100 * share)} %`, share === 0 ? 'dim' : 'warn');
    },
  },
  {
    column: { heading: 'NODE', min: 12, max: 30, priority: 2, cut: 'middle' },
    isFitted: true,
    cell: ({ object }) =>
      object.spec.nodeName === undefined ? [] : line(object.spec.nodeName, 'dim'),
  },
  {
    column: { heading: 'AGE', min: 5, max: 6, priority: 3, align: 'right' },
    isFitted: true,
    cell: (pod, { now }) => line(age(now - pod.addedAt), 'dim'),
  },
];

const LATENCY_WIDTH = 8;

/** `▁▁▃█┤1 s 12 ms`: of the slowest probe. */
function latencyCell(pod: PodSummary, _: Snapshot, width: number): Line {
  const slowest = slowestProbe(pod);
  const last = slowest?.probe.attempts.at(-1);
  if (slowest === undefined || last === undefined) return line('–', 'dim');
  const { container, probe } = slowest;
  const spec = probeOf(container.spec, probe.type);
  const bars = latencyBars(probe, spec?.timeoutSeconds ?? 1, width - LATENCY_WIDTH);
  return [...bars, span(formatLatency(last.latency).padStart(LATENCY_WIDTH))];
}

/** `14 pods of deployment/web in shop by restarts` */
export function podsTitle(snapshot: Snapshot): string {
  const { namespace, workload } = snapshot.ui.scope;
  const { name } = orderIn(POD_ORDERS, sortingOf(snapshot));
  return [
    counted(podsInScope(snapshot).length, 'pod'),
    ...(workload === undefined ? [] : [`of ${workload}`]),
    ...(namespace === undefined ? [] : [`in ${namespace}`]),
    ...(name === 'trouble' ? [] : [`by ${name}`]),
  ].join(' ');
}

/** From this width on, the chosen pod is beside the list: in half of the terminal, but no wider than this. */
const WIDE = 120;
/** Rows of header and footer, and the rows below a list that its events and output need. */
const FRAME_ROWS = 3;
const MIN_BELOW = 14;
/** Rows below a narrow list that have the chosen pod. */
const MIN_POD_BELOW = 8;

/** All pods, at first those with the worst diagnosis on top, and the chosen one. */
export const PodsView: FC = () => {
  const snapshot = useSnapshot();
  const { size } = snapshot;
  const pod = chosenPod(snapshot);
  const rows = size.rows - FRAME_ROWS;
  const above = shownRollout(snapshot) === undefined ? 0 : CHART_ROWS;
  const left = rows - above - listedPods(snapshot).length;
  if (size.columns < WIDE || pod === undefined) {
    if (pod === undefined || left - 2 < MIN_POD_BELOW) return <PodList unfolds />;
    return (
      <>
        <PodList unfolds={false} />
        <Box flexShrink={0}>
          <Rule title={pod.object.metadata.name} />
        </Box>
        <Box flexDirection="column" flexGrow={1} flexBasis={0} overflowY="hidden">
          <Opened pod={pod} size={{ ...size, rows: left - 2 }}>
            <PodView />
          </Opened>
        </Box>
      </>
    );
  }
  const columns = Math.max(Math.floor(size.columns / 2), size.columns - WIDE);
  const hasBelow = MIN_BELOW < left;
  return (
    <Box flexGrow={1}>
      <Box flexDirection="column" width={columns} marginRight={1} flexShrink={0}>
        <ColumnsProvider value={columns}>
          <PodList unfolds={false} />
          {hasBelow && (
            <Opened pod={pod} size={{ columns, rows }}>
              <EventsAndLogs />
            </Opened>
          )}
        </ColumnsProvider>
      </Box>
      <Box flexDirection="column" flexGrow={1} flexBasis={0}>
        <Opened pod={pod} size={{ columns: size.columns - columns - 1, rows }}>
          <PodView isWhole={!hasBelow} />
        </Opened>
      </Box>
    </Box>
  );
};

type OpenedProps = PropsWithChildren<{ readonly pod: PodSummary; readonly size: Size }>;

/** Shows parts of a pod's view as on a terminal of this size. Keys stay with the list. */
const Opened: FC<OpenedProps> = ({ pod, size, children }) => {
  const store = useStore();
  const snapshot = useSnapshot();
  const opened = useMemo(() => {
    const shown = { ...snapshot, size, ui: { ...snapshot.ui, pod: pod.key } };
    const subscribe = () => () => undefined;
    return { ...store, getSnapshot: () => shown, subscribe, layOut: () => undefined };
  }, [snapshot]);
  return (
    <StoreProvider value={opened}>
      <ColumnsProvider value={size.columns}>{children}</ColumnsProvider>
    </StoreProvider>
  );
};

/** The rollout that the list is about: of several, the first that is not complete. */
function shownRollout({ summary, ui }: Snapshot): WorkloadView | undefined {
  const workloads = summary.workloads.filter(
    ({ workload, history }) => (ui.scope.workload ?? workload) === workload && history.length > 0,
  );
  const shown = workloads.find(({ done }) => !done) ?? workloads[0];
  return shown?.done === true && shown.history.length === 1 ? undefined : shown;
}

const Rollout: FC = () => {
  const snapshot = useSnapshot();
  const workload = shownRollout(snapshot);
  if (workload === undefined) return null;
  return snapshot.size.rows < LOW_ROWS ? (
    <RolloutCounts workload={workload} />
  ) : (
    <RolloutChart workload={workload} now={snapshot.now} />
  );
};

interface ListProps {
  /** True where the chosen row shows all of its text: no other part of the screen shows the chosen pod. */
  readonly unfolds: boolean;
}

const PodList: FC<ListProps> = ({ unfolds }) => {
  const snapshot = useSnapshot();
  const pods = listedPods(snapshot);
  const columns = neededColumns(pods, snapshot, useColumns());
  const { scope } = snapshot.ui;
  return (
    <>
      <Rollout />
      {pods.length === 0 && (scope.namespace ?? scope.workload) !== undefined ? (
        <Text tone="warn">no pod is here now: 0 shows all</Text>
      ) : (
        <Table
          id={POD_LIST}
          columns={columns.map(({ column }) => column)}
          rows={pods.map((pod) => podRow(pod, columns, snapshot))}
          chosen={chosenPod(snapshot)?.key}
          total={podsInScope(snapshot).length}
          wraps={wrapsIn(snapshot)}
          unfolds={unfolds}
          flexGrow={0}
        />
      )}
    </>
  );
};

/** The share of a narrow list that a column may need before others are dropped. */
const MAX_SHARE = 0.4;

/** Returns the columns no wider than their widest cell, so that the others have the room. The one that sorts is always shown. */
function neededColumns(
  pods: readonly PodSummary[],
  snapshot: Snapshot,
  width: number,
): PodColumn[] {
  const sorting = sortingOf(snapshot);
  const { name } = orderIn(POD_ORDERS, sorting);
  return COLUMNS.flatMap(({ column, isFitted = false, cell }) => {
    const isSorted = column.heading.toLowerCase() === name;
    const heading = `${column.heading}${isSorted ? (sorting.isReversed ? ' ↑' : ' ↓') : ''}`;
    const priority = isSorted ? Infinity : column.priority;
    if (!isFitted) return { column: { ...column, heading, priority }, cell };
    const cells = new Map(pods.map((pod) => [pod, cell(pod, snapshot, column.max)]));
    const widths = [...cells.values()].map(lineWidth);
    if (!isSorted && widths.every((width) => width === 0)) return [];
    const max = Math.min(column.max, Math.max(heading.length, ...widths));
    const needed = Math.max(column.min, isSorted ? heading.length : 0);
    const min = Math.min(needed, max, Math.floor(width * MAX_SHARE));
    const fitted = { ...column, heading, priority, max, min };
    return { column: fitted, cell: (pod) => cells.get(pod) ?? [] };
  });
}

function podRow(pod: PodSummary, columns: readonly PodColumn[], snapshot: Snapshot): TableRow {
  const isFailing = standingOf(pod, snapshot).tone === 'bad';
  return {
    id: pod.key,
    content: (widths) =>
      columns.map(({ cell }, index) => {
        const width = widths[index] ?? 0;
        return width === 0 ? [] : cell(pod, snapshot, width);
      }),
    isFailing,
  };
}
