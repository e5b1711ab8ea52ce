import type {
  Container,
  ContainerState,
  ContainerStatus,
  Pod,
  PodStatus,
} from '../../api/index.js';
import { isStaticPod } from '../pod-name.js';
import { isRestartableInitContainer } from '../restart-policy.js';
import { CONTAINER_STATUS_UNKNOWN } from './reasons.js';

/** A pod's last status: nothing runs, nothing waits. Ports TerminatePod (pkg/kubelet/status/status_manager.go). */
export function terminatedStatus(pod: Pod, status: PodStatus): PodStatus {
  const { containerStatuses, initContainerStatuses } = status;
  const ended =
    containerStatuses === undefined || !hasPodInitialized(pod)
      ? {}
      : { containerStatuses: containerStatuses.map(endLost) };
  const initEnded =
    initContainerStatuses === undefined
      ? {}
      : { initContainerStatuses: endInitialized(initContainerStatuses) };
  const isTerminal = status.phase === 'Succeeded' || status.phase === 'Failed';
  const phase = isStaticPod(pod) || isTerminal ? {} : { phase: 'Failed' as const };
  return { ...status, ...ended, ...initEnded, ...phase };
}

const LOST: ContainerState = {
  terminated: {
    reason: CONTAINER_STATUS_UNKNOWN,
    message: 'The container could not be located when the pod was terminated',
    exitCode: 137,
  },
};

function endLost(status: ContainerStatus): ContainerStatus {
  return status.state.terminated === undefined ? { ...status, state: LOST } : status;
}

/** Ports initializedContainers: those up to the last one that has begun, or the first. */
function endInitialized(statuses: readonly ContainerStatus[]): ContainerStatus[] {
  const last = statuses.findLastIndex(
    ({ state, lastTerminationState }) =>
      state.waiting === undefined || lastTerminationState.terminated !== undefined,
  );
  return statuses.map((status, index) => (index <= Math.max(0, last) ? endLost(status) : status));
}

/** Ports hasPodInitialized (pkg/kubelet/status/status_manager.go): by what the API server knew. */
function hasPodInitialized({ spec, status }: Pod): boolean {
  const inits = spec.initContainers ?? [];
  if (inits.length === 0) return true;
  const begun = status.containerStatuses?.some(
    (c) => c.lastTerminationState.terminated !== undefined || c.state.waiting === undefined,
  );
  if (begun === true) return true;
  const last = status.initContainerStatuses?.at(-1);
  const container = inits.find(({ name }) => name === last?.name);
  return last !== undefined && container !== undefined && isDone(container, last);
}

function isDone(
  container: Container,
  { state, started, lastTerminationState }: ContainerStatus,
): boolean {
  if (isRestartableInitContainer(container)) return state.running !== undefined && started === true;
  return state.terminated?.exitCode === 0 || lastTerminationState.terminated?.exitCode === 0;
}
