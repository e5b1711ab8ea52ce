import { forecastContainer } from '../../../trace/forecast/container-forecast.js';
import { forecastProbe } from '../../../trace/forecast/probe-forecast.js';
import type { ContainerView } from '../../../trace/summary/container-view.js';
import type { PodSummary } from '../../../trace/summary/summary.js';
import { age } from '../../text/duration.js';
import { type Line, line, type Tone } from '../../text/line.js';
import { type Column, columnWidths, tableRow } from '../../text/table.js';
import { matches } from '../format.js';
import { choose } from '../keys.js';
import { type Snapshot, withChosen } from '../state.js';
import { bodyOf, type ViewKind } from './view.js';

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

/** Under which the choice in the list of pods is kept. */
export const POD_LIST = 'pods';

/** The pods that the filter lets through, the most troubled first. */
export function listedPods({ summary, ui }: Snapshot): PodSummary[] {
  return summary.pods
    .filter(({ key }) => matches(key, ui.filter))
    .map((pod) => ({ pod, rank: troubleOf(pod).rank }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ pod }) => pod);
}

export function chosenPod(snapshot: Snapshot): PodSummary | undefined {
  const pods = listedPods(snapshot);
  return pods.find(({ key }) => key === snapshot.ui.chosen[POD_LIST]) ?? pods[0];
}

/** How bad things are with a pod, and why, in a few words. The worst have the lowest rank. */
export interface Trouble {
  readonly rank: number;
  readonly text: string;
  readonly tone: Tone;
}

const FINE: Trouble = { rank: 90, text: 'ready', tone: 'good' };

export function troubleOf(pod: PodSummary): Trouble {
  if (pod.phase === 'Failed') return { rank: 0, text: pod.reason || 'failed', tone: 'bad' };
  if (pod.phase === 'Succeeded') return { rank: 95, text: 'completed', tone: 'dim' };
  const worst = pod.containers
    .flatMap((container) => containerTrouble(pod, container))
    .sort((a, b) => a.rank - b.rank)[0];
  if (worst !== undefined) return worst;
  if (pod.conditions['Ready'] === 'True') return FINE;
  return { rank: 60, text: 'starting', tone: 'warn' };
}

function containerTrouble(pod: PodSummary, container: ContainerView): Trouble[] {
  const { name, ready, restartCount } = container;
  const forecast = forecastContainer(pod, container);
  const found: Trouble[] = [];
  switch (forecast.kind) {
    case 'backOff':
      found.push({ rank: 10, text: `${name}: CrashLoopBackOff`, tone: 'bad' });
      break;
    case 'stopping':
    case 'preStop':
      found.push({ rank: 15, text: `${name}: is being killed`, tone: 'bad' });
      break;
    case 'ended':
      found.push({ rank: 20, text: `${name}: has ended`, tone: 'bad' });
      break;
    default:
      break;
  }
  for (const probe of container.probes) {
    const failing = forecastProbe(container, probe, 0).turns.some(
      ({ to, needed, threshold }) => to === 'failure' && needed < threshold,
    );
    if (failing) {
      const rank = probe.type === 'readiness' ? 40 : 30;
      found.push({ rank, text: `${name}: ${probe.type} fails`, tone: 'bad' });
    }
    if (probe.type === 'readiness' && probe.failures > 0 && !ready) {
      found.push({ rank: 45, text: `${name}: not ready`, tone: 'bad' });
    }
  }
  if (restartCount > 0 && ready) {
    found.push({ rank: 70, text: `${name}: restarted ${restartCount} times`, tone: 'warn' });
  }
  return found;
}

export function phaseLine({ phase, reason, deletedAt }: PodSummary): Line {
  if (deletedAt !== undefined) return line('Terminating', 'warn');
  if (phase === '') return line('starting', 'dim');
  return line(reason === '' ? phase : `${phase} (${reason})`, phaseTone(phase));
}

function phaseTone(phase: string): Tone {
  switch (phase) {
    case 'Failed':
      return 'bad';
    case 'Succeeded':
      return 'good';
    case 'Pending':
      return 'warn';
    default:
      return 'plain';
  }
}
