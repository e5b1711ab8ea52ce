import type { Container, Pod } from '../../api/index.js';
import { probeOf } from '../../kubelet/prober/probe-of.js';
import { isRestartableInitContainer } from '../../kubelet/restart-policy.js';
import type { ContainerRole, ContainerView } from './container-view.js';
import { NO_CORRELATION } from './event-view.js';
import { EMPTY_HISTOGRAM } from './histogram.js';
import type { ProbeView } from './probe-view.js';
import type { PodSummary } from './summary.js';

/** A pod of which nothing is known but what it is to be. */
export function newPodSummary(key: string, object: Pod, t: number): PodSummary {
  return {
    key,
    object,
    addedAt: t,
    phase: '',
    reason: '',
    conditions: {},
    status: undefined,
    containers: containersOf(object, []),
    events: [],
    correlation: NO_CORRELATION,
    readiness: [],
  };
}

/** The containers of a pod's spec; those that were there before keep what is known of them. */
export function containersOf({ spec }: Pod, known: readonly ContainerView[]): ContainerView[] {
  const view = (container: Container, role: ContainerRole): ContainerView => {
    const before = known.find(({ name }) => name === container.name);
    return before === undefined ? newContainer(container, role) : changed(before, container, role);
  };
  return [
    ...(spec.initContainers ?? []).map((container) =>
      view(container, isRestartableInitContainer(container) ? 'sidecar' : 'init'),
    ),
    ...spec.containers.map((container) => view(container, 'container')),
  ];
}

/** Probes that it no longer has are gone; what is known of the others stays. */
function changed(before: ContainerView, spec: Container, role: ContainerRole): ContainerView {
  const probes = (role === 'init' ? [] : newProbes(spec)).map(
    (probe) => before.probes.find(({ type }) => type === probe.type) ?? probe,
  );
  return { ...before, role, spec, probes };
}

function newContainer(spec: Container, role: ContainerRole): ContainerView {
  return {
    name: spec.name,
    role,
    spec,
    state: '',
    lastState: '',
    ready: false,
    started: false,
    restartCount: 0,
    runs: [],
    probes: role === 'init' ? [] : newProbes(spec),
    states: [],
    output: [],
    outputCount: 0,
  };
}

function newProbes(spec: Container): ProbeView[] {
  return (['startup', 'readiness', 'liveness'] as const).flatMap((type) => {
    const probe = probeOf(spec, type);
    if (probe === undefined) return [];
    const none = { successes: 0, failures: 0, errors: 0, latencies: EMPTY_HISTOGRAM, attempts: [] };
    return [{ type, resultRun: 0, threshold: probe.successThreshold, ...none }];
  });
}
