import type { ContainerView } from '../../../../trace/summary/container-view.js';
import type { ProbeView } from '../../../../trace/summary/probe-view.js';
import type { PodSummary } from '../../../../trace/summary/summary.js';
import { matches } from '../../format/matches.js';
import type { Snapshot } from '../../store/snapshot.js';

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
