import { diagnosePod, type Diagnosis } from '../../diagnosis/diagnosis.js';
import type { ContainerView } from '../../trace/summary/container-view.js';
import type { ProbeView } from '../../trace/summary/probe-view.js';
import type { PodSummary, Summary } from '../../trace/summary/summary.js';
import { matches } from './format.js';
import type { ContainerRef, ProbeRef, Snapshot } from './state.js';

/** The open pod; undefined while there is none, or while the list of several is shown. */
export function podInView({ summary, ui }: Snapshot): PodSummary | undefined {
  if (summary.pods.length === 1) return summary.pods[0];
  return summary.pods.find(({ key }) => key === ui.pod);
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
  const container = pod?.containers.find(({ name }) => name === ref.container);
  return pod && container && { pod, container };
}

export function findProbeIn(summary: Summary, ref: ProbeRef): FoundProbe | undefined {
  const found = findContainerIn(summary, ref);
  const probe = found?.container.probes.find(({ type }) => type === ref.probe);
  return found && probe && { ...found, probe };
}

export interface RowTarget {
  readonly id: string;
  readonly container: ContainerView;
  readonly probe?: ProbeView;
}

/** Rows from which on containers without trouble are shown in one row each. */
const MANY_ROWS = 16;

/** The rows that can be chosen: containers, the ones in trouble first, and below each its probes. */
export function rowTargets(pod: PodSummary, snapshot: Snapshot): RowTarget[] {
  const { ui } = snapshot;
  const troubled = new Set(troublesOf(pod, snapshot).map(({ container }) => container));
  const containers = pod.containers.toSorted(
    (a, b) => Number(troubled.has(b.name)) - Number(troubled.has(a.name)),
  );
  const rows = containers.reduce((sum, { probes }) => sum + 1 + probes.length, 0);
  const collapses = troubled.size > 0 && rows > MANY_ROWS;
  const open = ui.chosen[pod.key]?.split('/')[0];
  return containers.flatMap((container) => {
    const { name } = container;
    const isOpen = !collapses || troubled.has(name) || name === open || ui.filter !== '';
    const probes = container.probes
      .map((probe) => ({ id: `${name}/${probe.type}`, container, probe }))
      .filter(({ id }) => matches(id, ui.filter));
    const isShown = probes.length > 0 || matches(name, ui.filter);
    return isShown ? [{ id: name, container }, ...(isOpen ? probes : [])] : [];
  });
}

/** The worst trouble or, without any, the first probe, until the user chooses. */
export function chosenTarget(pod: PodSummary, snapshot: Snapshot): RowTarget | undefined {
  const targets = rowTargets(pod, snapshot);
  const [worst] = troublesOf(pod, snapshot);
  return (
    targets.find(({ id }) => id === snapshot.ui.chosen[pod.key]) ??
    targets.find(({ id }) => id === (worst && rowOf(worst))) ??
    targets.find(({ probe }) => probe !== undefined) ??
    targets[0]
  );
}

/** The id of the row that a trouble is about. */
export function rowOf({ container, probe }: Diagnosis): string {
  return probe === undefined ? container : `${container}/${probe}`;
}

const TROUBLES = new WeakMap<
  PodSummary,
  { readonly now: number; readonly troubles: readonly Diagnosis[] }
>();

/** A pod's diagnoses, the worst first; several parts of a frame ask for them. */
export function troublesOf(pod: PodSummary, { now, about }: Snapshot): readonly Diagnosis[] {
  const known = TROUBLES.get(pod);
  if (known?.now === now) return known.troubles;
  const troubles = diagnosePod(pod, now, about.isSimulated);
  TROUBLES.set(pod, { now, troubles });
  return troubles;
}
