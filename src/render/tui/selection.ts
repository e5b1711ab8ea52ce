import type { ContainerView } from '../../trace/summary/container-view.js';
import type { ProbeView } from '../../trace/summary/probe-view.js';
import type { PodSummary, Summary } from '../../trace/summary/summary.js';
import { matches } from './format.js';
import type { OfProbe, Snapshot } from './state.js';

/** The pod that is looked into; undefined while there is none, or the list of several is shown. */
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

export function findContainerIn(
  { pods }: Summary,
  { pod: key, container: name }: { readonly pod: string; readonly container: string },
): FoundContainer | undefined {
  const pod = pods.find((candidate) => candidate.key === key);
  const container = pod?.containers.find((candidate) => candidate.name === name);
  return pod === undefined || container === undefined ? undefined : { pod, container };
}

export function findProbeIn(summary: Summary, of: OfProbe): FoundProbe | undefined {
  const found = findContainerIn(summary, of);
  const probe = found?.container.probes.find(({ type }) => type === of.probe);
  return found === undefined || probe === undefined ? undefined : { ...found, probe };
}

/** What a row that can be chosen stands for. */
export interface RowTarget {
  readonly id: string;
  readonly container: ContainerView;
  readonly probe?: ProbeView;
}

/** The rows that can be chosen, in their order: containers, and below each its probes. */
export function rowTargets(pod: PodSummary, filter: string): RowTarget[] {
  return pod.containers.flatMap((container) => {
    const own: RowTarget = { id: container.name, container };
    const probes = container.probes.map((probe) => ({
      id: `${container.name}/${probe.type}`,
      container,
      probe,
    }));
    const shown = probes.filter(({ id }) => matches(id, filter));
    return shown.length > 0 || matches(own.id, filter) ? [own, ...shown] : [];
  });
}

/** The chosen row: the first probe, unless the user chose. */
export function chosenTarget(pod: PodSummary, { ui }: Snapshot): RowTarget | undefined {
  const targets = rowTargets(pod, ui.filter);
  const chosen = ui.chosen[pod.key];
  return (
    targets.find(({ id }) => id === chosen) ??
    targets.find(({ probe }) => probe !== undefined) ??
    targets[0]
  );
}
