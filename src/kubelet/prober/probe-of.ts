import {
  allContainers,
  type Container,
  containerNamed,
  mapContainers,
  omitUndefined,
  type Pod,
  type Probe,
} from '../../api/index.js';
import type { ProbeType } from '../../trace/event.js';

export function probeOf(container: Container, probeType: ProbeType): Probe | undefined {
  return container[`${probeType}Probe`];
}

/** Returns the type as in the kubelet's events and metrics. Ports probeType.String (pkg/kubelet/prober/worker.go). */
export function probeTypeName(probeType: ProbeType): string {
  return probeType.charAt(0).toUpperCase() + probeType.slice(1);
}

/** Probe types in the order in which AddPod starts their workers. */
export const PROBE_TYPES = ['startup', 'readiness', 'liveness'] as const;

/** Returns the probes that a container declares, in that order. */
export function containerProbes(container: Container) {
  return PROBE_TYPES.flatMap((type) => {
    const probe = probeOf(container, type);
    return probe === undefined ? [] : [{ type, probe }];
  });
}

/** Returns the probes that were added, changed or removed in the containers that a pod had before. */
export function changedProbes(before: Pod, after: Pod) {
  return allContainers(after.spec).flatMap((container) => {
    const old = containerNamed(before.spec, container.name) ?? container;
    return PROBE_TYPES.map((probeType) => ({
      container,
      probeType,
      before: probeOf(old, probeType),
      after: probeOf(container, probeType),
    })).filter((each) => JSON.stringify(each.before) !== JSON.stringify(each.after));
  });
}

/** Returns a pod with the probes that its containers had before; a probe that is new stays. */
export function withProbesOf(before: Pod, pod: Pod): Pod {
  const keep = (container: Container): Container => {
    const { startupProbe, readinessProbe, livenessProbe } =
      containerNamed(before.spec, container.name) ?? {};
    return { ...container, ...omitUndefined({ startupProbe, readinessProbe, livenessProbe }) };
  };
  return { ...pod, spec: mapContainers(pod.spec, keep) };
}
