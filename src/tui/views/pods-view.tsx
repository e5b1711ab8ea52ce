import type { FC } from 'react';

import { age } from '../../text/duration.js';
import { line } from '../../text/line.js';
import type { PodSummary } from '../../trace/summary/summary.js';
import { phaseLine } from '../components/format.js';
import { Table, type TableColumn, type TableRow } from '../components/rows.js';
import { useSnapshot } from '../hooks/use-store.js';
import {
  chosenPod,
  listedPods,
  POD_LIST,
  podOrder,
  standingOf,
  wrapsIn,
} from '../store/selection.js';
import type { Size, Snapshot } from '../store/state.js';

const COLUMNS: readonly TableColumn[] = [
  { heading: 'POD', min: 14, max: 40, worth: 9, elides: true },
  { heading: 'NAMESPACE', min: 7, max: 12, worth: 4, elides: true },
  { heading: 'READY', min: 5, max: 6, worth: 8, align: 'right' },
  { heading: 'PHASE', min: 8, max: 9, worth: 6 },
  { heading: 'RESTARTS', min: 5, max: 8, worth: 5, align: 'right' },
  { heading: 'TROUBLE', min: 24, max: 120, worth: 7, weight: 3, elides: true },
  { heading: 'AGE', min: 5, max: 6, worth: 3, align: 'right' },
];

export function podsTitle(snapshot: Snapshot): string {
  const { name } = podOrder(snapshot);
  return `${snapshot.summary.pods.length} pods${name === 'trouble' ? '' : ` by ${name}`}`;
}

/** All pods, at first those with the worst trouble on top. */
export const PodsView: FC<Size> = ({ columns, rows }) => {
  const snapshot = useSnapshot();
  return (
    <Table
      id={POD_LIST}
      columns={COLUMNS}
      rows={listedPods(snapshot).map((pod) => podRow(pod, snapshot))}
      width={columns}
      height={rows}
      chosen={chosenPod(snapshot)?.key}
      total={snapshot.summary.pods.length}
      wraps={wrapsIn(snapshot)}
    />
  );
};

function podRow(pod: PodSummary, snapshot: Snapshot): TableRow {
  const trouble = standingOf(pod, snapshot);
  const { name, namespace } = pod.object.metadata;
  const regular = pod.containers.filter(({ role }) => role !== 'init');
  const ready = regular.filter((container) => container.ready).length;
  const restarts = pod.containers.reduce((sum, { restartCount }) => sum + restartCount, 0);
  const cells = [
    line(name, 'strong'),
    line(namespace, 'dim'),
    line(`${ready}/${regular.length}`, ready === regular.length ? 'good' : 'bad'),
    phaseLine(pod),
    line(`${restarts}`, restarts > 0 ? 'bad' : 'dim'),
    line(trouble.text, trouble.tone),
    line(age(snapshot.now - pod.addedAt), 'dim'),
  ];
  return { id: pod.key, content: () => cells, isFailing: trouble.tone === 'bad' };
}
