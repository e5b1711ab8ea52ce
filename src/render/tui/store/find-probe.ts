import type { ContainerView } from '../../../trace/summary/container-view.js';
import type { ProbeView } from '../../../trace/summary/probe-view.js';
import type { PodSummary, Summary } from '../../../trace/summary/summary.js';
import type { OfProbe } from './ui.js';

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
