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

/** The rows that can be chosen, in their order: containers, and below each its probes. */
export function rowTargets(pod: PodSummary, filter: string): RowTarget[] {
  return pod.containers.flatMap((container) => {
    const probes = container.probes
      .map((probe) => ({ id: `${container.name}/${probe.type}`, container, probe }))
      .filter(({ id }) => matches(id, filter));
    const isShown = probes.length > 0 || matches(container.name, filter);
    return isShown ? [{ id: container.name, container }, ...probes] : [];
  });
}

/** The first probe, until the user chooses. */
export function chosenTarget(pod: PodSummary, { ui }: Snapshot): RowTarget | undefined {
  const targets = rowTargets(pod, ui.filter);
  return (
    targets.find(({ id }) => id === ui.chosen[pod.key]) ??
    targets.find(({ probe }) => probe !== undefined) ??
    targets[0]
  );
}
