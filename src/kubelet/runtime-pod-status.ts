import type { Pod } from '../api/index.js';
import type { RuntimeContainerStatus, RuntimePodStatus } from './ports.js';

/** Returns the status of a pod that the runtime does not know. */
export function emptyRuntimePodStatus(uid: string): RuntimePodStatus {
  return { uid, ips: [], sandboxStatuses: [], containerStatuses: [] };
}

/** Returns a container's newest status. Ports FindContainerStatusByName (pkg/kubelet/container/runtime.go). */
export function findContainerStatusByName(
  podStatus: RuntimePodStatus,
  name: string,
): RuntimeContainerStatus | undefined {
  return podStatus.containerStatuses.find((status) => status.name === name);
}

/** Returns the statuses of the containers in the ready sandbox. */
export function activeContainerStatuses(
  podStatus: RuntimePodStatus,
): readonly RuntimeContainerStatus[] {
  const [latest] = podStatus.sandboxStatuses;
  if (latest?.state !== 'ready') return [];
  return podStatus.containerStatuses.filter((status) => status.sandboxID === latest.id);
}

/** Returns whether no container or sandbox of the pod is running. Ports isPodStatusCacheTerminal (pod_workers.go). */
export function isPodStatusCacheTerminal(podStatus: RuntimePodStatus): boolean {
  return (
    podStatus.containerStatuses.every(({ state }) => state !== 'running') &&
    podStatus.sandboxStatuses.every(({ state }) => state !== 'ready')
  );
}

interface SandboxChange {
  /** A new sandbox is needed. */
  readonly changed: boolean;
  /** Attempt number of the sandbox, from 0. */
  readonly attempt: number;
  /** The current sandbox; empty when there is none. */
  readonly sandboxID: string;
  /** The problem of the current sandbox; empty where no new one is needed. */
  readonly reason: string;
}

/** Returns whether the pod needs a new sandbox. Ports PodSandboxChanged (pkg/kubelet/kuberuntime/util/util.go). */
export function podSandboxChanged(pod: Pod, podStatus: RuntimePodStatus): SandboxChange {
  const [latest] = podStatus.sandboxStatuses;
  if (latest === undefined) {
    return { changed: true, attempt: 0, sandboxID: '', reason: 'no pod sandbox exists' };
  }
  const current = { attempt: latest.attempt, sandboxID: latest.id };
  const next = (reason: string): SandboxChange => ({
    ...current,
    changed: true,
    attempt: latest.attempt + 1,
    reason,
  });
  const ready = podStatus.sandboxStatuses.filter((sandbox) => sandbox.state === 'ready');
  if (ready.length > 1) return next('multiple pod sandboxes are ready and need to be reconciled');
  if (latest.state !== 'ready') return next('pod sandbox is not ready');
  if (latest.hostNetwork !== isHostNetworkPod(pod)) {
    const reason = 'network namespace mode changed and sandbox needs to be recreated';
    return { ...next(reason), sandboxID: '' };
  }
  if (!latest.hostNetwork && latest.ips.length === 0) return next('pod sandbox has no IP address');
  return { ...current, changed: false, reason: '' };
}

/** Ports IsHostNetworkPod (pkg/kubelet/container/helpers.go). */
export function isHostNetworkPod(pod: Pod): boolean {
  return pod.spec.hostNetwork ?? false;
}

/**
 * Returns whether a regular container was ever created. Ports HasAnyRegularContainerCreated
 * (pkg/kubelet/kuberuntime/kuberuntime_container.go).
 */
export function hasAnyRegularContainerCreated(pod: Pod, podStatus: RuntimePodStatus): boolean {
  return pod.spec.containers.some((container) => {
    const status = findContainerStatusByName(podStatus, container.name);
    return status !== undefined && status.state !== 'unknown';
  });
}

/**
 * Returns whether the ready sandbox has a regular container. Ports HasAnyActiveRegularContainerStarted
 * (pkg/kubelet/container/helpers.go).
 */
export function hasAnyActiveRegularContainerStarted(
  pod: Pod,
  podStatus: RuntimePodStatus,
): boolean {
  const names = new Set(pod.spec.containers.map((container) => container.name));
  return activeContainerStatuses(podStatus).some((status) => names.has(status.name));
}
