import type { ContainerState, ContainerStatus } from '../../api/index.js';
import type { RuntimeContainerStatus } from '../ports.js';
import { CONTAINER_STATUS_UNKNOWN, RESTARTING_ALL_CONTAINERS } from './reasons.js';

/**
 * A container as the runtime shows it, in the API's words. Ports convertContainerStatus (pkg/kubelet/kubelet_pods.go).
 */
export function convertContainerStatus(
  cs: RuntimeContainerStatus,
  containerID: string,
  oldStatus: ContainerStatus | undefined,
  podRestarting: boolean,
): ContainerStatus {
  const state = stateOf(cs, containerID, oldStatus, podRestarting);
  const { volumeMounts } = oldStatus ?? {};
  return {
    name: cs.name,
    state,
    lastTerminationState: lastTerminationStateOf(containerID, oldStatus),
    ready: false,
    restartCount: restartCountOf(cs, oldStatus, state),
    image: cs.image,
    imageID: cs.imageRef,
    containerID,
    ...(volumeMounts === undefined ? {} : { volumeMounts }),
  };
}

function stateOf(
  cs: RuntimeContainerStatus,
  containerID: string,
  oldStatus: ContainerStatus | undefined,
  podRestarting: boolean,
): ContainerState {
  const started = cs.startedAt === undefined ? {} : { startedAt: cs.startedAt };
  switch (cs.state) {
    case 'running':
      return { running: started };
    case 'created':
      return { waiting: {} };
    case 'exited':
      return {
        terminated: {
          exitCode: cs.exitCode,
          reason: cs.reason,
          message: cs.message,
          ...started,
          ...(cs.finishedAt === undefined ? {} : { finishedAt: cs.finishedAt }),
          containerID,
        },
      };
    case 'unknown':
      // It ran, and cannot be asked any more: "ran and failed" is not "never ran".
      if (oldStatus?.state.running === undefined) return { waiting: {} };
      return {
        terminated: {
          reason: podRestarting ? RESTARTING_ALL_CONTAINERS : CONTAINER_STATUS_UNKNOWN,
          message: 'The container could not be located when the pod was terminated',
          exitCode: 137,
        },
      };
  }
}

function restartCountOf(
  cs: RuntimeContainerStatus,
  oldStatus: ContainerStatus | undefined,
  state: ContainerState,
): number {
  if (oldStatus === undefined) return cs.restartCount;
  if (cs.state === 'unknown' && state.terminated !== undefined) return oldStatus.restartCount + 1;
  const restarted = cs.state === 'running' && oldStatus.state.terminated !== undefined;
  if (restarted && oldStatus.restartCount >= cs.restartCount) return oldStatus.restartCount + 1;
  return Math.max(oldStatus.restartCount, cs.restartCount);
}

/** RestartAllContainers removes the old container, so its end is carried over from the old status. */
function lastTerminationStateOf(
  containerID: string,
  oldStatus: ContainerStatus | undefined,
): ContainerState {
  const ended = oldStatus?.state.terminated;
  if (oldStatus?.containerID !== containerID && ended !== undefined) return { terminated: ended };
  const last = oldStatus?.lastTerminationState.terminated;
  return last === undefined ? {} : { terminated: last };
}
