import { headline, isPast } from '../../../diagnosis/diagnosis.js';
import type { PodSummary } from '../../../trace/summary/summary.js';
import { age } from '../../text/duration.js';
import { type Line, line, type Tone } from '../../text/line.js';
import { type Column, columnWidths, tableRow } from '../../text/table.js';
import { matches } from '../format.js';
import { choose } from '../keys.js';
import { troublesOf } from '../selection.js';
import { type Snapshot, withChosen } from '../state.js';
import type { ViewKind } from './view.js';

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

/** The key of this list's choice and scroll position. */
const POD_LIST = 'pods';

/** All pods, those with the worst trouble first. */
export const podsView: ViewKind = {
  title: ({ summary }) => `${summary.pods.length} pods`,
  show(snapshot) {
    const widths = columnWidths(COLUMNS, snapshot.size.columns);
    const pods = listedPods(snapshot);
    const chosen = chosenPod(snapshot);
    const rows = pods.map((pod) => tableRow(podCells(pod, snapshot, chosen), COLUMNS, widths));
    const headings = HEADINGS.map((heading) => line(heading, 'dim'));
    return {
      head: [tableRow(headings, COLUMNS, widths)],
      body: {
        id: POD_LIST,
        rows,
        chosen: chosen === undefined ? -1 : pods.indexOf(chosen),
        failing: [...pods.keys()].filter((index) => isFailing(pods[index], snapshot)),
      },
    };
  },
  press(snapshot, key) {
    const { ui, size } = snapshot;
    const pods = listedPods(snapshot);
    const chosen = chosenPod(snapshot);
    if (chosen === undefined) return undefined;
    if (key === 'enter') return { ui: { ...ui, pod: chosen.key } };
    const pod = choose(pods, chosen, key, size.rows - 4);
    return pod && { ui: withChosen(ui, POD_LIST, pod.key) };
  },
  keys: [
    { key: 'enter', word: 'open', sentence: 'open the chosen pod; esc returns' },
    { key: 'j k', word: 'choose', sentence: 'choose a pod' },
  ],
};

function listedPods(snapshot: Snapshot): PodSummary[] {
  const { summary, ui } = snapshot;
  return summary.pods
    .filter(({ key }) => matches(key, ui.filter))
    .map((pod) => ({ pod, rank: troubleOf(pod, snapshot).rank }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ pod }) => pod);
}

export function chosenPod(snapshot: Snapshot): PodSummary | undefined {
  const pods = listedPods(snapshot);
  return pods.find(({ key }) => key === snapshot.ui.chosen[POD_LIST]) ?? pods[0];
}

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

/** The worst have the lowest rank. */
interface Trouble {
  readonly rank: number;
  readonly text: string;
  readonly tone: Tone;
}

function troubleOf(pod: PodSummary, snapshot: Snapshot): Trouble {
  if (pod.phase === 'Failed') return { rank: -1, text: pod.reason || 'failed', tone: 'bad' };
  if (pod.phase === 'Succeeded') return { rank: 95, text: 'completed', tone: 'dim' };
  const [worst] = troublesOf(pod, snapshot);
  if (worst !== undefined && !isPast(worst)) {
    return { rank: worst.rank, text: headline(worst), tone: 'bad' };
  }
  if (pod.conditions['Ready'] !== 'True') return { rank: 50, text: 'starting', tone: 'warn' };
  return worst === undefined
    ? { rank: 90, text: 'ready', tone: 'good' }
    : { rank: worst.rank, text: headline(worst), tone: 'warn' };
}

export function phaseLine({ phase, reason, deletedAt }: PodSummary): Line {
  if (deletedAt !== undefined) return line('Terminating', 'warn');
  if (phase === '') return line('starting', 'dim');
  return line(reason === '' ? phase : `${phase} (${reason})`, PHASE_TONES[phase] ?? 'plain');
}

const PHASE_TONES: Readonly<Record<string, Tone>> = {
  Failed: 'bad',
  Succeeded: 'good',
  Pending: 'warn',
};
