import type { FC } from 'react';

import { counted } from '../../text/count.js';
import { age } from '../../text/duration.js';
import { type Line, line, lineWidth } from '../../text/line.js';
import type { PodSummary } from '../../trace/summary/summary.js';
import { phaseLine } from '../components/format.js';
import { Table, type TableColumn, type TableRow } from '../components/table.js';
import { useSnapshot } from '../hooks/use-store.js';
import {
  chosenPod,
  listedPods,
  POD_LIST,
  podOrder,
  standingOf,
  wrapsIn,
} from '../store/selection.js';
import type { Snapshot } from '../store/state.js';

const COLUMNS: readonly TableColumn[] = [
  { heading: 'POD', min: 14, max: 40, priority: 9, elides: true },
  { heading: 'NAMESPACE', min: 7, max: 12, priority: 4, elides: true },
  { heading: 'READY', min: 5, max: 6, priority: 7, align: 'right' },
  { heading: 'PHASE', min: 8, max: 9, priority: 6 },
  { heading: 'RESTARTS', min: 5, max: 8, priority: 5, align: 'right' },
  { heading: 'TROUBLE', min: 16, max: 120, priority: 8, weight: 3, elides: true },
  { heading: 'AGE', min: 5, max: 6, priority: 3, align: 'right' },
];

export function podsTitle(snapshot: Snapshot): string {
  const { name } = podOrder(snapshot);
  return `${counted(snapshot.summary.pods.length, 'pod')}${name === 'trouble' ? '' : ` by ${name}`}`;
}

/** All pods, at first those with the worst trouble on top. */
export const PodsView: FC = () => {
  const snapshot = useSnapshot();
  const pods = listedPods(snapshot).map((pod) => ({ pod, cells: podCells(pod, snapshot) }));
  return (
    <Table
      id={POD_LIST}
      columns={neededColumns(pods.map(({ cells }) => cells))}
      rows={pods.map(({ pod, cells }) => podRow(pod, cells, snapshot))}
      chosen={chosenPod(snapshot)?.key}
      total={snapshot.summary.pods.length}
      wraps={wrapsIn(snapshot)}
    />
  );
};

/** Returns the columns no wider than their widest cell, so that the others have the room. */
function neededColumns(rows: readonly (readonly Line[])[]): TableColumn[] {
  return COLUMNS.map((column, index) => {
    const widths = rows.map((cells) => lineWidth(cells[index] ?? []));
    const max = Math.min(column.max, Math.max(column.heading.length, ...widths));
    return { ...column, max, min: Math.min(column.min, max) };
  });
}

function podRow(pod: PodSummary, cells: readonly Line[], snapshot: Snapshot): TableRow {
  const isFailing = standingOf(pod, snapshot).tone === 'bad';
  return { id: pod.key, content: () => cells, isFailing };
}

function podCells(pod: PodSummary, snapshot: Snapshot): Line[] {
  const trouble = standingOf(pod, snapshot);
  const { name, namespace } = pod.object.metadata;
  const regular = pod.containers.filter(({ role }) => role !== 'init');
  const ready = regular.filter((container) => container.ready).length;
  const restarts = pod.containers.reduce((sum, { restartCount }) => sum + restartCount, 0);
  return [
    line(name, 'strong'),
    line(namespace, 'dim'),
    line(`${ready}/${regular.length}`, ready === regular.length ? 'good' : 'bad'),
    phaseLine(pod),
    line(`${restarts}`, restarts > 0 ? 'bad' : 'dim'),
    line(trouble.text, trouble.tone),
    line(age(snapshot.now - pod.addedAt), 'dim'),
  ];
}
