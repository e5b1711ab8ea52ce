import {
  type Container,
  type ContainerState,
  type ContainerStatus,
  omitUndefined,
  type Pod,
  type VolumeMount,
  type VolumeMountStatus,
} from '../../api/index.js';
import { buildContainerID } from '../pod-name.js';
import type { RuntimeContainerStatus, RuntimePodStatus } from '../ports.js';
import { DEFAULT_BEHAVIOR, type ReleaseBehavior } from '../release.js';
import { isRestartableInitContainer, shouldContainerBeRestarted } from '../restart-policy.js';
import { findContainerStatusByName, hasAnyRegularContainerCreated } from '../runtime-pod-status.js';
import type { StartError } from '../sync-result.js';

export interface ContainerStatusesInput {
  readonly pod: Pod;
  readonly podStatus: RuntimePodStatus;
  readonly runtimeName: string;
  readonly previous: readonly ContainerStatus[];
  readonly containers: readonly Container[];
  readonly isInit: boolean;
  /** All containers are being restarted in place. */
  readonly podRestarting: boolean;
  readonly behavior: ReleaseBehavior;
  readonly startError: (container: string) => StartError | undefined;
}

/**
 * Returns the statuses of a pod's regular or init containers. Ports convertToAPIContainerStatuses
 * (pkg/kubelet/kubelet_pods.go).
 */
export function convertToAPIContainerStatuses(
  input: ContainerStatusesInput,
): readonly ContainerStatus[] {
  const list = input.containers.map((container) => {
    const old = input.previous.find(({ name }) => name === container.name);
    let status = defaultStatus(input, container, old);
    status = inferLostContainer(input, old, status);
    status = applyRuntimeStatus(input, container, old, status);
    return applyStartError(input, container, status);
  });
  return input.isInit ? list : list.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the status of a container that the runtime does not know: waiting, or terminated as before. */
function defaultStatus(
  { pod }: ContainerStatusesInput,
  container: Container,
  old: ContainerStatus | undefined,
): ContainerStatus {
  if (old?.state.terminated !== undefined) return old;
  const volumeMounts = volumeMountStatuses(container.volumeMounts ?? []);
  return {
    name: container.name,
    state: { waiting: { reason: defaultWaitingReason(pod) } },
    lastTerminationState: old?.lastTerminationState ?? {},
    ready: false,
    restartCount: old?.restartCount ?? 0,
    image: container.image,
    imageID: '',
    ...(volumeMounts.length !== 0 && { volumeMounts }),
  };
}

function defaultWaitingReason(pod: Pod): string {
  return (pod.spec.initContainers?.length ?? 0) > 0 ? POD_INITIALIZING : CONTAINER_CREATING;
}

function volumeMountStatuses(mounts: readonly VolumeMount[]): VolumeMountStatus[] {
  return mounts.map(({ name, mountPath, readOnly }) => ({
    name,
    mountPath,
    ...(readOnly === true && { readOnly, recursiveReadOnly: 'Disabled' }),
  }));
}

/** Marks a container that was running as terminated when the runtime no longer has it. */
function inferLostContainer(
  { pod, podStatus, podRestarting }: ContainerStatusesInput,
  before: ContainerStatus | undefined,
  status: ContainerStatus,
): ContainerStatus {
  if (before === undefined) return status;
  if (findContainerStatusByName(podStatus, status.name) !== undefined) return status;
  if (podRestarting && before.state.waiting === undefined) {
    const message = 'The container is removed because RestartAllContainers in place';
    return {
      ...status,
      state: { waiting: { reason: RESTARTING_ALL_CONTAINERS, message } },
      lastTerminationState: lostState(message, RESTARTING_ALL_CONTAINERS),
      restartCount: before.restartCount + 1,
    };
  }
  if (before.state.running === undefined) return status;
  if (status.state.waiting?.reason !== defaultWaitingReason(pod)) return status;
  if (status.lastTerminationState.terminated !== undefined) return status;
  const deleted = pod.metadata.deletionTimestamp !== undefined;
  return {
    ...status,
    lastTerminationState: lostState(
      'The container could not be located when the pod was deleted.  The container used to be Running',
    ),
    restartCount: status.restartCount + (deleted ? 0 : 1),
  };
}

/** Sets the state from the newest container of the name and the last state from the one before. */
function applyRuntimeStatus(
  { podStatus, runtimeName, podRestarting, behavior }: ContainerStatusesInput,
  { name, resources = {} }: Container,
  old: ContainerStatus | undefined,
  status: ContainerStatus,
): ContainerStatus {
  const convert = (cs: RuntimeContainerStatus): ContainerStatus =>
    convertContainerStatus(cs, buildContainerID(runtimeName, cs.id), old, podRestarting, behavior);
  const [latest, previous] = podStatus.containerStatuses.filter((cs) => cs.name === name);
  if (latest === undefined) return status;
  // A container that runs stays `started`, even if it has been restarted since.
  const keepsStarted = behavior.keepsResultsOnRestart && latest.state === 'running';
  const started = keepsStarted ? old?.started : undefined;
  return {
    ...convert(latest),
    ...(previous && { lastTerminationState: convert(previous).state }),
    ...omitUndefined({ started, allocatedResources: resources.requests }),
    resources,
  };
}

/** Makes a container that is to be started again wait, with the error of its last start. */
function applyStartError(
  { pod, podStatus, isInit, startError, behavior }: ContainerStatusesInput,
  container: Container,
  status: ContainerStatus,
): ContainerStatus {
  if (isInit) {
    const runtimeStatus = findContainerStatusByName(podStatus, container.name);
    if (runtimeStatus?.state === 'exited' && runtimeStatus.exitCode === 0) return status;
    if (
      behavior.completesLostInit &&
      runtimeStatus === undefined &&
      hasAnyRegularContainerCreated(pod, podStatus) &&
      !isRestartableInitContainer(container) &&
      status.state.waiting !== undefined
    ) {
      return { ...status, state: COMPLETED_WITHOUT_STATUS };
    }
  }
  if (!shouldContainerBeRestarted(container, pod, podStatus, behavior)) return status;
  const error = startError(container.name);
  if (error === undefined || error.reason === '') return status;
  const { reason, message } = error;
  return {
    ...status,
    ...(status.state.terminated && { lastTerminationState: status.state }),
    state: { waiting: { reason, message } },
  };
}

const COMPLETED_WITHOUT_STATUS: ContainerStatus['state'] = {
  terminated: {
    reason: 'Completed',
    message:
      'Unable to get init container status from container runtime and pod has been initialized, treat it as exited normally',
    exitCode: 0,
  },
};

/** Converts the runtime's status of a container. Ports convertContainerStatus (pkg/kubelet/kubelet_pods.go). */
export function convertContainerStatus(
  cs: RuntimeContainerStatus,
  containerID: string,
  oldStatus: ContainerStatus | undefined,
  podRestarting: boolean,
  { keepsLastState, keepsRestartCount }: ReleaseBehavior = DEFAULT_BEHAVIOR,
): ContainerStatus {
  const state = convertState(cs, containerID, oldStatus, podRestarting);
  const { volumeMounts } = oldStatus ?? {};
  return omitUndefined({
    name: cs.name,
    state,
    lastTerminationState: keepsLastState ? lastTerminationStateOf(containerID, oldStatus) : {},
    ready: false,
    restartCount: restartCountOf(cs, oldStatus, state, keepsRestartCount),
    image: cs.image,
    imageID: cs.imageRef,
    containerID,
    volumeMounts,
  });
}

function convertState(
  cs: RuntimeContainerStatus,
  containerID: string,
  oldStatus: ContainerStatus | undefined,
  podRestarting: boolean,
): ContainerState {
  switch (cs.state) {
    case 'running':
      return { running: omitUndefined({ startedAt: cs.startedAt }) };
    case 'created':
      return { waiting: {} };
    case 'exited': {
      const { exitCode, reason, message, startedAt, finishedAt } = cs;
      const ended = { exitCode, reason, message, startedAt, finishedAt, containerID };
      return { terminated: omitUndefined(ended) };
    }
    case 'unknown':
      // A container that was running is lost, and counts as failed.
      if (oldStatus?.state.running === undefined) return { waiting: {} };
      return lostState(LOST_MESSAGE, podRestarting ? RESTARTING_ALL_CONTAINERS : undefined);
  }
}

function restartCountOf(
  cs: RuntimeContainerStatus,
  oldStatus: ContainerStatus | undefined,
  state: ContainerState,
  keepsRestartCount: boolean,
): number {
  if (oldStatus === undefined) return cs.restartCount;
  if (cs.state === 'unknown' && state.terminated !== undefined) return oldStatus.restartCount + 1;
  if (!keepsRestartCount) return cs.restartCount;
  const restarted = cs.state === 'running' && oldStatus.state.terminated !== undefined;
  if (restarted && oldStatus.restartCount >= cs.restartCount) return oldStatus.restartCount + 1;
  return Math.max(oldStatus.restartCount, cs.restartCount);
}

/** Keeps the end of the previous container from the old status, because RestartAllContainers removes that container. */
function lastTerminationStateOf(
  containerID: string,
  oldStatus: ContainerStatus | undefined,
): ContainerState {
  const { state, lastTerminationState } = oldStatus ?? {};
  const isOther = oldStatus?.containerID !== containerID;
  const terminated = (isOther ? state?.terminated : undefined) ?? lastTerminationState?.terminated;
  return terminated === undefined ? {} : { terminated };
}

/** Waiting reasons before the first start (pkg/kubelet/kubelet_pods.go). */
const CONTAINER_CREATING = 'ContainerCreating';
const POD_INITIALIZING = 'PodInitializing';
export const RESTARTING_ALL_CONTAINERS = 'RestartingAllContainers';
/** Message of a container that the runtime no longer has when its pod ends. */
export const LOST_MESSAGE = 'The container could not be located when the pod was terminated';

/** Returns the state of a container that the runtime no longer has, by default with the kubelet's usual reason. */
export function lostState(message: string, reason = 'ContainerStatusUnknown'): ContainerState {
  return { terminated: { reason, message, exitCode: 137 } };
}
