import type { Container, Pod } from '../../api/index.js';
import type { RuntimeContainerStatus, RuntimePodStatus } from '../ports.js';
import type { ProbeResults } from '../prober/results-manager.js';
import { DEFAULT_BEHAVIOR, type ReleaseBehavior } from '../release.js';
import { isRestartableInitContainer, shouldContainerBeRestarted } from '../restart-policy.js';
import {
  activeContainerStatuses,
  findContainerStatusByName,
  hasAnyActiveRegularContainerStarted,
} from '../runtime-pod-status.js';
import { containerChanged } from './container-hash.js';
import { type ContainerToKillInfo, killUnknown } from './container-killer.js';
import type { ContainerKillReason } from './termination-grace-period.js';

interface Step {
  readonly start?: boolean;
  readonly kill?: ContainerToKillInfo;
  /** The init container has completed, or the sidecar has started: the next one may start. */
  readonly initialized?: boolean;
  readonly fail?: boolean;
}

/**
 * Plans the actions for init containers, beginning with the last: earlier ones may be gone from the runtime.
 * `hasInitialized` means that the regular containers may run. Ports computeInitContainerActions
 * (pkg/kubelet/kuberuntime/kuberuntime_container.go).
 */
export function computeInitContainerActions(
  pod: Pod,
  podStatus: RuntimePodStatus,
  probeResults: ProbeResults,
  { initializesEachSandbox }: ReleaseBehavior = DEFAULT_BEHAVIOR,
) {
  const inits = pod.spec.initContainers ?? [];
  const statuses = initializesEachSandbox
    ? activeContainerStatuses(podStatus)
    : podStatus.containerStatuses;
  const toStart: number[] = [];
  const containersToKill: ContainerToKillInfo[] = [];
  const isPastInit = initializesEachSandbox
    ? hasAnyActiveRegularContainerStarted
    : hasRunningRegularContainer;
  let hasInitialized = inits.length === 0 || isPastInit(pod, podStatus);
  let previouslyInitialized = hasInitialized;
  for (const [index, container] of [...inits.entries()].reverse()) {
    const status = statuses.find(({ name }) => name === container.name);
    const isSidecar = isRestartableInitContainer(container);
    if (status === undefined) {
      // The container ran and was removed from the runtime. Only a sidecar has to run again.
      if (previouslyInitialized && isSidecar) toStart.push(index);
      continue;
    }
    // Once a later container has been initialized, only sidecars matter.
    if (previouslyInitialized && !isSidecar) continue;
    const step = isSidecar
      ? sidecarStep(container, status, probeResults)
      : initStep(container, status, pod, podStatus);
    if (step.fail === true) {
      const actions = { killPod: true, initContainersToStart: [], containersToKill };
      return { actions, hasInitialized: false };
    }
    if (step.kill !== undefined) containersToKill.push(step.kill);
    if (step.initialized === true) {
      if (index === inits.length - 1) hasInitialized = true;
      else if (!isSidecar || !previouslyInitialized) toStart.push(index + 1);
    }
    if (step.start === true) toStart.push(index);
    previouslyInitialized = true;
  }
  if (!previouslyInitialized) toStart.push(0);
  const initContainersToStart = toStart.reverse().flatMap((index) => inits[index] ?? []);
  return { actions: { killPod: false, initContainersToStart, containersToKill }, hasInitialized };
}

/** Returns whether a regular container exists, which means that all init containers have completed. */
function hasRunningRegularContainer(pod: Pod, podStatus: RuntimePodStatus): boolean {
  return pod.spec.containers.some(({ name }) => {
    const state = findContainerStatusByName(podStatus, name)?.state;
    return state === 'created' || state === 'running';
  });
}

function sidecarStep(
  container: Container,
  status: RuntimeContainerStatus,
  probeResults: ProbeResults,
): Step {
  const kill = (message: string, reason: ContainerKillReason): ContainerToKillInfo => ({
    id: status.id,
    container,
    message: `Init container ${container.name} ${message}`,
    reason,
  });
  if (status.state === 'unknown') {
    return { start: true, kill: killUnknown(container, status, 'Init container') };
  }
  if (status.state !== 'running') return { start: true };
  if (container.startupProbe !== undefined) {
    const startup = probeResults.startup(status.id);
    if (startup === 'failure') {
      return { start: true, kill: kill('failed startup probe', 'StartupProbe') };
    }
    if (startup !== 'success') return {};
  }
  if (containerChanged(container, status)) {
    return { initialized: true, start: true, kill: kill('definition changed', '') };
  }
  if (container.livenessProbe !== undefined && probeResults.liveness(status.id) === 'failure') {
    return { initialized: true, start: true, kill: kill('failed liveness probe', 'LivenessProbe') };
  }
  return { initialized: true };
}

function initStep(
  container: Container,
  status: RuntimeContainerStatus,
  pod: Pod,
  podStatus: RuntimePodStatus,
): Step {
  switch (status.state) {
    case 'created':
      return { start: true };
    case 'running':
      return {};
    case 'exited':
      if (status.exitCode === 0 && status.reason !== 'OOMKilled') return { initialized: true };
      return shouldContainerBeRestarted(container, pod, podStatus)
        ? { start: true }
        : { fail: true };
    case 'unknown':
      // The container may not have exited, so there is no exit code that a restart rule could match.
      if ((container.restartPolicy ?? pod.spec.restartPolicy) === 'Never') return { fail: true };
      return { start: true, kill: killUnknown(container, status, 'Init container') };
  }
}
