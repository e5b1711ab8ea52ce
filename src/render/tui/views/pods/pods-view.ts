import type { PodSummary } from '../../../../trace/summary/summary.js';
import { age } from '../../../text/duration.js';
import { type Line, line } from '../../../text/line.js';
import { type Column, columnWidths, tableRow } from '../../../text/table.js';
import { choose } from '../../keys/choose.js';
import { withChosen } from '../../store/ui.js';
import { phaseLine } from '../pod/pod-header.js';
import { bodyOf, type ViewKind } from '../view.js';
import { chosenPod, listedPods, POD_LIST } from './chosen-pod.js';
import { troubleOf } from './trouble.js';

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

/** All pods, the most troubled first. */
export const podsView: ViewKind = {
  title: ({ summary }) => `${summary.pods.length} pods`,
  show(snapshot) {
    const widths = columnWidths(COLUMNS, snapshot.size.columns);
    const pods = listedPods(snapshot);
    const chosen = chosenPod(snapshot);
    const rows = pods.map((pod) => ({
      line: tableRow(cells(pod, snapshot.now, pod === chosen), COLUMNS, widths),
    }));
    const headings = HEADINGS.map((heading) => line(heading, 'dim'));
    return {
      head: [{ line: tableRow(headings, COLUMNS, widths) }],
      body: { ...bodyOf(POD_LIST, rows), chosen: chosen === undefined ? -1 : pods.indexOf(chosen) },
      tail: [],
    };
  },
  press(snapshot, key) {
    const { ui, size } = snapshot;
    const pods = listedPods(snapshot);
    const chosen = chosenPod(snapshot);
    if (chosen === undefined) return undefined;
    if (key === 'enter') return { ui: { ...ui, pod: chosen.key } };
    const to = choose(pods.indexOf(chosen), pods.length, key, size.rows - 4);
    const pod = to === undefined ? undefined : pods[to];
    return pod === undefined ? undefined : { ui: withChosen(ui, POD_LIST, pod.key) };
  },
  keys: [
    { key: 'enter', word: 'look in', sentence: 'look into the chosen pod; esc comes back' },
    { key: 'j k', word: 'choose', sentence: 'choose a pod' },
  ],
};

function cells(pod: PodSummary, now: number, isChosen: boolean): Line[] {
  const { name, namespace } = pod.object.metadata;
  const regular = pod.containers.filter(({ role }) => role !== 'init');
  const ready = regular.filter((container) => container.ready).length;
  const restarts = pod.containers.reduce((sum, { restartCount }) => sum + restartCount, 0);
  const trouble = troubleOf(pod);
  return [
    line(name, isChosen ? 'cursor' : 'strong'),
    line(namespace, 'dim'),
    line(`${ready}/${regular.length}`, ready === regular.length ? 'good' : 'bad'),
    phaseLine(pod),
    line(`${restarts}`, restarts > 0 ? 'bad' : 'dim'),
    line(trouble.text, trouble.tone),
    line(age(now - pod.addedAt), 'dim'),
  ];
}
