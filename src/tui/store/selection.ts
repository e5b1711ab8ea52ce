import { controllerOf, deploymentOf } from '../../api/index.js';
import { diagnosePod } from '../../diagnosis/diagnosis.js';
import { type Diagnosis, isFailing, URGENCIES } from '../../diagnosis/fault.js';
import { ORDER as URGENCY, type Outlook } from '../../diagnosis/next-step.js';
import { outlooks } from '../../diagnosis/outlook.js';
import { subjectText, troubleText } from '../../diagnosis/words.js';
import { podCells } from '../../report/pod-cells.js';
import { lossText } from '../../report/view-text.js';
import { counted } from '../../text/count.js';
import type { Tone } from '../../text/line.js';
import { isPodReady } from '../../trace/summary/condition-view.js';
import { type ContainerView, currentRun, hasDied } from '../../trace/summary/container-view.js';
import type { ProbeView } from '../../trace/summary/probe-view.js';
import { findContainer, type PodSummary, type Summary } from '../../trace/summary/summary.js';
import {
  type ContainerRef,
  overlayOf,
  type ProbeRef,
  type Snapshot,
  type Sorting,
  type Tab,
  type Ui,
  type ViewName,
  withChosen,
} from './state.js';

/** The open pod; undefined while there is none, or while the list of several is shown. */
export function podInView({ summary, ui }: Snapshot): PodSummary | undefined {
  if (summary.pods.length === 1) return summary.pods[0];
  return summary.pods.find(({ key }) => key === ui.pod);
}

export function viewName(snapshot: Snapshot): ViewName {
  const overlay = snapshot.ui.overlays.at(-1);
  return overlay === undefined ? viewBelow(snapshot) : overlay.kind;
}

export function viewBelow(snapshot: Snapshot): Exclude<ViewName, 'help'> {
  const isList = snapshot.summary.pods.length > 1 && podInView(snapshot) === undefined;
  return isList ? 'pods' : snapshot.ui.tab;
}

export function filterOf(snapshot: Snapshot, view = viewName(snapshot)): string {
  return snapshot.ui.filters[view] ?? '';
}

export function withFilter(snapshot: Snapshot, filter: string): Ui {
  const { ui } = snapshot;
  return { ...ui, filters: { ...ui.filters, [viewName(snapshot)]: filter } };
}

/** Opens a tab and closes what lies over it; in the list of pods, the tab of the chosen pod. Logs keep to the chosen container. */
export function withTab(snapshot: Snapshot, tab: Tab): Ui {
  const { ui } = snapshot;
  const pod = podInView(snapshot) ?? chosenPod(snapshot);
  const row = tab === 'logs' && pod ? chosenTarget(pod, snapshot)?.id : undefined;
  const { chosen } = pod && row ? withChosen(ui, pod.key, row) : ui;
  return { ...ui, chosen, tab, overlays: [], pod: tab === 'pod' ? ui.pod : pod?.key };
}

/** Views that cut long lines off until the user asks for the whole. */
const CUT: readonly ViewName[] = ['pods', 'pod', 'timeline', 'describe'];

/** Returns whether the view shows long lines in several rows. */
export function wrapsIn(snapshot: Snapshot): boolean {
  const view = viewName(snapshot);
  return snapshot.ui.wraps[view] ?? !CUT.includes(view);
}

export function matches(text: string, filter: string): boolean {
  return text.toLowerCase().includes(filter.toLowerCase());
}

export interface FoundContainer {
  readonly pod: PodSummary;
  readonly container: ContainerView;
}

export interface FoundProbe extends FoundContainer {
  readonly probe: ProbeView;
}

export function findContainerIn({ pods }: Summary, ref: ContainerRef): FoundContainer | undefined {
  const pod = pods.find(({ key }) => key === ref.pod);
  const container = pod && findContainer(pod, ref.container);
  return pod && container && { pod, container };
}

export function findProbeIn(summary: Summary, ref: ProbeRef): FoundProbe | undefined {
  const found = findContainerIn(summary, ref);
  const probe = found?.container.probes.find(({ type }) => type === ref.probe);
  return found && probe && { ...found, probe };
}

/** The attempt on the screen; the latest where none is chosen, or where that is no longer kept. */
export function findAttempt({ summary, ui }: Snapshot) {
  const overlay = overlayOf(ui, 'attempt');
  const found = overlay && findProbeIn(summary, overlay);
  if (found === undefined) return undefined;
  const { attempts } = found.probe;
  const at = attempts.findIndex(({ startedAt }) => startedAt === overlay?.startedAt);
  const index = at === -1 ? attempts.length - 1 : at;
  return { ...found, attempt: attempts[index], index };
}

export function chosenContainer(snapshot: Snapshot): FoundContainer | undefined {
  const pod = podInView(snapshot);
  const container = pod && chosenTarget(pod, snapshot)?.container;
  return pod && container && { pod, container };
}

export interface RowTarget {
  readonly id: string;
  readonly container: ContainerView;
  readonly probe?: ProbeView;
}

/** Rows from which on containers that do not fail are shown in one row each. */
const MANY_ROWS = 16;

/** The rows that can be chosen: containers, those that fail first, and below each its probes. */
export function rowTargets(pod: PodSummary, snapshot: Snapshot): RowTarget[] {
  const { ui } = snapshot;
  const view = viewBelow(snapshot);
  const filter = view === 'pod' || view === 'timeline' ? filterOf(snapshot, view) : '';
  const diagnoses = diagnosesOf(pod, snapshot).filter(isFailing);
  const failing = new Set(diagnoses.map(({ subject }) => subject.container));
  const containers = pod.containers.toSorted(
    (a, b) => Number(failing.has(b.name)) - Number(failing.has(a.name)),
  );
  const rows = containers.reduce((sum, { probes }) => sum + 1 + probes.length, 0);
  const collapses = failing.size > 0 && rows > MANY_ROWS;
  const open = ui.chosen[pod.key]?.split('/')[0];
  return containers.flatMap((container) => {
    const { name } = container;
    const isOpen = !collapses || failing.has(name) || name === open || filter !== '';
    const probes = container.probes
      .map((probe) => ({ id: `${name}/${probe.type}`, container, probe }))
      .filter(({ id }) => matches(id, filter));
    const isShown = probes.length > 0 || matches(name, filter);
    return isShown ? [{ id: name, container }, ...(isOpen ? probes : [])] : [];
  });
}

/** The row of the worst diagnosis or, without any, the first probe, until the user chooses. */
export function chosenTarget(pod: PodSummary, snapshot: Snapshot): RowTarget | undefined {
  const targets = rowTargets(pod, snapshot);
  const [worst] = diagnosesOf(pod, snapshot);
  return (
    targets.find(({ id }) => id === snapshot.ui.chosen[pod.key]) ??
    targets.find(({ id }) => id === (worst && subjectText(worst.subject))) ??
    targets.find(({ probe }) => probe !== undefined) ??
    targets[0]
  );
}

const DIAGNOSES = new WeakMap<PodSummary, { now: number; diagnoses: readonly Diagnosis[] }>();

/** A pod's diagnoses, the worst first; several parts of a frame ask for them. */
export function diagnosesOf(pod: PodSummary, { now, context }: Snapshot): readonly Diagnosis[] {
  const known = DIAGNOSES.get(pod);
  if (known?.now === now) return known.diagnoses;
  const diagnoses = diagnosePod(pod, now, context.isSimulated);
  DIAGNOSES.set(pod, { now, diagnoses });
  return diagnoses;
}

/** The key of the choice and the scroll position of the list of pods. */
export const POD_LIST = 'pods';

export interface Order<T> {
  readonly name: string;
  /** Returns the value by which the rows are sorted, the lowest first. */
  readonly by: (item: T, snapshot: Snapshot) => number | string;
}

/** The orders of a list; the first is its own. */
type Orders<T, O = Order<T>> = readonly [O, ...O[]];

/** The orders of the list of pods, named as its columns, with the keys that k9s has for them. */
export const POD_ORDERS: Orders<PodSummary, Order<PodSummary> & { readonly key: string }> = [
  {
    name: 'trouble',
    key: 'D',
    by: (pod, snapshot) => STANDINGS.indexOf(standingOf(pod, snapshot).standing),
  },
  { name: 'pod', key: 'N', by: ({ object }) => object.metadata.name },
  { name: 'namespace', key: 'P', by: ({ key }) => key },
  { name: 'ready', key: 'R', by: (pod) => podCells(pod).ready - podCells(pod).containers },
  { name: 'status', key: 'S', by: (pod) => podCells(pod).status },
  { name: 'restarts', key: 'T', by: (pod) => -podCells(pod).restarts },
  {
    name: 'next',
    key: 'X',
    by: (pod, snapshot) => URGENCY.indexOf(nextOf(pod, snapshot)?.urgency ?? 'later'),
  },
  {
    name: 'latency',
    key: 'L',
    by: (pod) => -(slowestProbe(pod)?.probe.attempts.at(-1)?.latency ?? -1),
  },
  { name: 'throttled', key: 'C', by: (pod) => -(throttledShare(pod) ?? -1) },
  { name: 'node', key: 'O', by: ({ object }) => object.spec.nodeName ?? '' },
  { name: 'age', key: 'A', by: ({ addedAt }) => -addedAt },
];

export const UNSORTED: Sorting = { order: 0, isReversed: false };

export function sortingOf({ ui }: Snapshot, view = 'pods' as ViewName): Sorting {
  return ui.sorting[view] ?? UNSORTED;
}

export function orderIn<T>(orders: Orders<T>, { order }: Sorting): Order<T> {
  return orders[order % orders.length] ?? orders[0];
}

export function sortBy<T>(
  items: readonly T[],
  orders: Orders<T>,
  sorting: Sorting,
  snapshot: Snapshot,
): T[] {
  const { by } = orderIn(orders, sorting);
  const sorted = items
    .map((item) => ({ item, key: by(item, snapshot) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ item }) => item);
  return sorting.isReversed ? sorted.reverse() : sorted;
}

/** Returns what the kubelet does next to a pod, of several the most urgent. */
export function nextOf(pod: PodSummary, { now, context }: Snapshot): Outlook | undefined {
  return outlooks(pod, now, context.isSimulated)[0];
}

/** Returns the probe whose latest attempt took longest; a cluster's kubelet does not say how long attempts take. */
export function slowestProbe({
  containers,
}: PodSummary): Pick<FoundProbe, 'container' | 'probe'> | undefined {
  const [slowest] = containers
    .flatMap((container) => container.probes.map((probe) => ({ container, probe })))
    .flatMap((found) => {
      const last = found.probe.attempts.at(-1);
      return last === undefined || last.evidence !== undefined
        ? []
        : { ...found, latency: last.latency };
    })
    .sort((a, b) => b.latency - a.latency);
  return slowest;
}

/** Returns the largest share of CPU periods in which a limit stopped a container; undefined where none is known. */
export function throttledShare({ containers }: PodSummary): number | undefined {
  const shares = containers.flatMap((each) => currentRun(each)?.listening?.throttled ?? []);
  return shares.length === 0 ? undefined : Math.max(...shares);
}

/** Returns the workloads that a pod belongs to: `replicaset/web-7d4` and `deployment/web`. */
export function workloadsOf({ object: { metadata } }: PodSummary): string[] {
  const owner = controllerOf(metadata);
  const deployment = deploymentOf(metadata);
  return [
    ...(owner === undefined ? [] : [`${owner.kind.toLowerCase()}/${owner.name}`]),
    ...(deployment === undefined ? [] : [`deployment/${deployment}`]),
  ];
}

/** The pods of the namespace and the workload that the user has named. */
export function podsInScope({ summary, ui }: Snapshot): readonly PodSummary[] {
  const { namespace, workload } = ui.scope;
  if (namespace === undefined && workload === undefined) return summary.pods;
  return summary.pods.filter(
    (pod) =>
      (namespace === undefined || pod.object.metadata.namespace === namespace) &&
      (workload === undefined || workloadsOf(pod).includes(workload)),
  );
}

/** Reports whether a pod has lost or regained readiness, died or been deleted since the user's last look at it. */
export function hasChanged(pod: PodSummary, { ui }: Snapshot): boolean {
  const { key, containers, readiness, firstReadyAt = Infinity, deletedAt = 0 } = pod;
  const flipped = readiness.at(-1)?.t ?? 0;
  const ends = containers.map(({ runs }) => runs.findLast(hasDied)?.endedAt ?? 0);
  const last = Math.max(deletedAt, flipped > firstReadyAt ? flipped : 0, ...ends);
  return last > Math.max(ui.allSeenAt, ui.lookedAt[key] ?? 0);
}

const LISTED = new WeakMap<Snapshot, readonly PodSummary[]>();

/** The pods of the list in their order; each row asks for them. */
export function listedPods(snapshot: Snapshot): readonly PodSummary[] {
  const listed = LISTED.get(snapshot) ?? sortedPods(snapshot);
  LISTED.set(snapshot, listed);
  return listed;
}

function sortedPods(snapshot: Snapshot): PodSummary[] {
  const filter = filterOf(snapshot, 'pods');
  const pods = podsInScope(snapshot).filter((pod) =>
    matches(`${pod.key} ${standingOf(pod, snapshot).text}`, filter),
  );
  return sortBy(pods, POD_ORDERS, sortingOf(snapshot), snapshot);
}

export function chosenPod(snapshot: Snapshot): PodSummary | undefined {
  const pods = listedPods(snapshot);
  return pods.find(({ key }) => key === snapshot.ui.chosen[POD_LIST]) ?? pods[0];
}

/** The standings of pods, the worst first. */
const STANDINGS = [
  'failed',
  ...URGENCIES.slice(0, -2),
  'starting',
  'warning',
  'past',
  'ready',
  'completed',
] as const;
type Standing = (typeof STANDINGS)[number];

/** Returns what a pod that is not ready waits for, where there is no diagnosis. */
function notReadyText({ status, object, containers, divergence }: PodSummary): string {
  const scheduled = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False') return scheduled.reason ?? 'not scheduled';
  const init = containers.find(({ role, state }) => role === 'init' && state.kind === 'running');
  if (init !== undefined) return `init container ${init.name} runs`;
  const ended = containers.find(
    ({ role, state }) => role !== 'init' && state.kind === 'terminated',
  );
  if (ended?.state.kind === 'terminated') {
    return `${ended.name} ended with ${ended.state.exitCode}, ${counted(ended.restartCount, 'restart')}`;
  }
  const waits = containers.find(({ state }) => state.kind === 'waiting' && state.reason !== '');
  if (waits?.state.kind === 'waiting') return `${waits.name}: ${waits.state.reason}`;
  const notReady = containers.find(({ role, ready }) => role !== 'init' && !ready);
  if (notReady !== undefined) {
    return `${notReady.name} not ${notReady.started ? 'ready' : 'started'} yet`;
  }
  const [gate] = object.spec.readinessGates ?? [];
  if (gate !== undefined) return `readiness gate ${gate.conditionType}`;
  // A node that is not ready causes such a divergence.
  return divergence?.happened ?? 'starting';
}

/** Returns the state of a pod, as its row in the list shows it. */
export function standingOf(
  pod: PodSummary,
  snapshot: Snapshot,
): { readonly standing: Standing; readonly text: string; readonly tone: Tone } {
  if (pod.deletedAt !== undefined && ['Failed', 'Succeeded'].includes(pod.phase)) {
    return { standing: 'completed', text: 'deleted', tone: 'dim' };
  }
  if (pod.phase === 'Succeeded') return { standing: 'completed', text: 'completed', tone: 'dim' };
  const [worst] = diagnosesOf(pod, snapshot);
  const isOnly = pod.containers.length === 1;
  if (pod.phase === 'Failed') {
    const text = pod.reason || (worst === undefined ? 'failed' : troubleText(worst, isOnly));
    return { standing: 'failed', text, tone: 'bad' };
  }
  if (worst !== undefined && isFailing(worst)) {
    return { standing: worst.urgency, text: troubleText(worst, isOnly), tone: 'bad' };
  }
  const isReady = isPodReady(pod);
  // A narrow list has no column for the status.
  if (pod.deletedAt !== undefined && worst === undefined) {
    return { standing: 'ready', text: `${isReady ? 'ready, ' : ''}terminating`, tone: 'warn' };
  }
  if (!isReady) return { standing: 'starting', text: notReadyText(pod), tone: 'warn' };
  const loss = lossText(pod);
  return worst === undefined
    ? { standing: 'ready', text: loss === '' ? 'ready' : `ready (${loss})`, tone: 'good' }
    : { standing: worst.urgency, text: troubleText(worst, isOnly), tone: 'warn' };
}
