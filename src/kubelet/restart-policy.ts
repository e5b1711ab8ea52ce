import {
  allContainers,
  type Container,
  type ContainerRestartRule,
  type Pod,
  type PodSpec,
  type PodStatus,
} from '../api/index.js';
import type { RuntimePodStatus } from './ports.js';
import { DEFAULT_BEHAVIOR, type ReleaseBehavior } from './release.js';
import { findContainerStatusByName } from './runtime-pod-status.js';

/** Returns whether an init container is a sidecar. Ports IsRestartableInitContainer (pkg/api/v1/pod/util.go). */
export function isRestartableInitContainer(container: Container): boolean {
  return container.restartPolicy === 'Always';
}

/** Ports hasRestartableInitContainer (pkg/kubelet/types/pod_update.go). */
export function hasRestartableInitContainer(pod: Pod): boolean {
  return pod.spec.initContainers?.some(isRestartableInitContainer) ?? false;
}

/** Returns the first rule that an exit code matches. Ports FindMatchingContainerRestartRule (util.go). */
export function findMatchingContainerRestartRule(
  container: Container,
  exitCode: number,
): ContainerRestartRule | undefined {
  return container.restartPolicyRules?.find(({ exitCodes }) => {
    if (exitCodes === undefined) return false;
    const listed = exitCodes.values?.includes(exitCode) ?? false;
    return listed === (exitCodes.operator === 'In');
  });
}

/**
 * Returns whether a container with this exit code is started again: by its rules, its policy, then the pod's.
 * Ports ContainerShouldRestart (pkg/api/v1/pod/util.go).
 */
export function containerShouldRestart(
  container: Container,
  spec: PodSpec,
  exitCode: number,
): boolean {
  if (
    container.restartPolicy !== undefined &&
    findMatchingContainerRestartRule(container, exitCode) !== undefined
  ) {
    return true;
  }
  const policy = container.restartPolicy ?? spec.restartPolicy;
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

/** Returns whether a container that is not running should be started. Ports ShouldContainerBeRestarted (helpers.go). */
export function shouldContainerBeRestarted(
  container: Container,
  pod: Pod,
  podStatus: RuntimePodStatus,
  { sidecarsWait }: ReleaseBehavior = DEFAULT_BEHAVIOR,
): boolean {
  if (pod.metadata.deletionTimestamp !== undefined) return false;
  const status = findContainerStatusByName(podStatus, container.name);
  if (status === undefined) return true;
  if (status.state !== 'exited') return status.state !== 'running';
  const { restartPolicy, ...byPod } = container;
  return containerShouldRestart(sidecarsWait ? container : byPod, pod.spec, status.exitCode);
}

/** Ports AllContainersCouldRestart (pkg/api/v1/pod/util.go). */
export function allContainersCouldRestart(spec: PodSpec): boolean {
  return allContainers(spec).some((container) =>
    container.restartPolicyRules?.some((rule) => rule.action === 'RestartAllContainers'),
  );
}

export function isTrue(status: PodStatus | undefined, type: string): boolean {
  return status?.conditions?.some((c) => c.type === type && c.status === 'True') === true;
}

/**
 * Returns whether all containers are to be restarted because one has exited, or are being restarted. Ports
 * ShouldAllContainersRestart (pkg/kubelet/container/helpers.go).
 */
export function shouldAllContainersRestart(
  pod: Pod,
  podStatus: RuntimePodStatus | undefined,
  apiStatus: PodStatus | undefined,
): boolean {
  if (isTrue(apiStatus, 'AllContainersRestarting')) return true;
  if (!allContainersCouldRestart(pod.spec)) return false;
  const apiStatuses = [
    ...(apiStatus?.containerStatuses ?? []),
    ...(apiStatus?.initContainerStatuses ?? []),
  ];
  const restartsAll = (container: Container, exitCode: number | undefined): boolean =>
    exitCode !== undefined &&
    findMatchingContainerRestartRule(container, exitCode)?.action === 'RestartAllContainers';
  for (const container of allContainers(pod.spec)) {
    if (podStatus !== undefined) {
      const status = findContainerStatusByName(podStatus, container.name);
      // As in the kubelet, the API status does not count for a container that has not exited.
      if (status?.state !== 'exited') continue;
      if (restartsAll(container, status.exitCode)) return true;
    }
    const apiState = apiStatuses.find((status) => status.name === container.name)?.state;
    if (restartsAll(container, apiState?.terminated?.exitCode)) return true;
  }
  return false;
}
