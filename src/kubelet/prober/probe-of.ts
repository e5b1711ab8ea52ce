import type { Container, Probe } from '../../api/index.js';
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
