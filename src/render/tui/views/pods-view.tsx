import { Box } from 'ink';

import type { PodSummary } from '../../../trace/summary/summary.js';
import { age } from '../../text/duration.js';
import { type Line, line } from '../../text/line.js';
import { type Column, columnWidths, tableRow } from '../../text/table.js';
import { phaseLine } from '../components/format.js';
import { Row } from '../components/row.js';
import { ScrollBox } from '../components/scroll-box.js';
import { useSnapshot } from '../hooks/use-store.js';
import { chosenPod, listedPods, POD_LIST, troubleOf } from '../store/selection.js';
import type { Snapshot } from '../store/state.js';
import type { View } from './view.js';

const COLUMNS: readonly Column[] = [
  { min: 14, max: 40, worth: 9 },
  { min: 7, max: 12, worth: 4 },
  { min: 5, max: 6, worth: 8, align: 'right' },
  { min: 8, max: 9, worth: 6 },
  { min: 5, max: 8, worth: 5, align: 'right' },
  { min: 24, max: 60, worth: 7, weight: 3 },
  { min: 5, max: 6, worth: 3, align: 'right' },
];

const HEADINGS = ['POD', 'NAMESPACE', 'READY', 'PHASE', 'RESTARTS', 'TROUBLE', 'AGE'];

/** All pods, those with the worst trouble first. */
export const PodsView: View = ({ columns, rows }) => {
  const snapshot = useSnapshot();
  const widths = columnWidths(COLUMNS, columns);
  const pods = listedPods(snapshot);
  const chosen = chosenPod(snapshot);
  const headings = HEADINGS.map((heading) => line(heading, 'dim'));
  return (
    <Box flexDirection="column">
      <Row line={tableRow(headings, COLUMNS, widths)} width={columns} />
      <ScrollBox
        id={POD_LIST}
        lines={pods.map((pod) => tableRow(podCells(pod, snapshot, chosen), COLUMNS, widths))}
        width={columns}
        height={rows - 1}
        chosen={chosen === undefined ? -1 : pods.indexOf(chosen)}
        failing={[...pods.keys()].filter((index) => isFailing(pods[index], snapshot))}
      />
    </Box>
  );
};

function podCells(pod: PodSummary, snapshot: Snapshot, chosen: PodSummary | undefined): Line[] {
  const { name, namespace } = pod.object.metadata;
  const regular = pod.containers.filter(({ role }) => role !== 'init');
  const ready = regular.filter((container) => container.ready).length;
  const restarts = pod.containers.reduce((sum, { restartCount }) => sum + restartCount, 0);
  const trouble = troubleOf(pod, snapshot);
  return [
    line(name, pod === chosen ? 'cursor' : 'strong'),
    line(namespace, 'dim'),
    line(`${ready}/${regular.length}`, ready === regular.length ? 'good' : 'bad'),
    phaseLine(pod),
    line(`${restarts}`, restarts > 0 ? 'bad' : 'dim'),
    line(trouble.text, trouble.tone),
    line(age(snapshot.now - pod.addedAt), 'dim'),
  ];
}

function isFailing(pod: PodSummary | undefined, snapshot: Snapshot): boolean {
  return pod !== undefined && troubleOf(pod, snapshot).tone === 'bad';
}
