import {
  type Container,
  type ContainerState,
  type ContainerStatus,
  type Pod,
  type PodCondition,
  type PodSpec,
  type PodStatus,
  present,
} from '../../api/index.js';
import { isStaticPod } from '../pod-name.js';
import {
  allContainersCouldRestart,
  containerShouldRestart,
  isRestartableInitContainer,
} from '../restart-policy.js';
import { CONTAINER_STATUS_UNKNOWN } from './container-statuses.js';

/**
 * Returns an error when a container that may not restart is no longer terminated, or undefined. Ports
 * checkContainerStateTransition (pkg/kubelet/status/status_manager.go).
 */
export function checkContainerStateTransition(
  oldStatus: PodStatus,
  newStatus: PodStatus,
  spec: PodSpec,
): string | undefined {
  if (spec.restartPolicy === 'Always' || allContainersCouldRestart(spec)) return undefined;
  const regular = revived(
    oldStatus.containerStatuses ?? [],
    newStatus.containerStatuses ?? [],
    spec,
    spec.containers,
  );
  if (regular !== undefined) {
    return `terminated container ${regular} attempted illegal transition to non-terminated state`;
  }
  const initContainers = spec.initContainers ?? [];
  const oldInit = oldStatus.initContainerStatuses ?? [];
  const stranger = oldInit.find(({ name }, index) => initContainers[index]?.name !== name);
  if (stranger !== undefined) {
    return `found mismatch between pod spec and status, container: ${stranger.name}`;
  }
  const init = revived(oldInit, newStatus.initContainerStatuses ?? [], spec, initContainers);
  return init === undefined
    ? undefined
    : `terminated init container ${init} attempted illegal transition to non-terminated state`;
}

function revived(
  before: readonly ContainerStatus[],
  after: readonly ContainerStatus[],
  spec: PodSpec,
  containers: readonly Container[],
): string | undefined {
  for (const { name, state } of before) {
    const container = containers.find((c) => c.name === name);
    if (container === undefined || state.terminated === undefined) continue;
    if (isRestartableInitContainer(container)) continue;
    const { exitCode } = state.terminated;
    if (exitCode !== 0 && spec.restartPolicy === 'OnFailure') continue;
    if (containerShouldRestart(container, spec, exitCode)) continue;
    const now = after.find((c) => c.name === name);
    if (now !== undefined && now.state.terminated === undefined) return name;
  }
  return undefined;
}

/** Conditions whose transition times the status manager sets. */
const TIMED: ReadonlySet<string> = new Set([
  'ContainersReady',
  'Ready',
  'Initialized',
  'PodReadyToStartContainers',
  'PodScheduled',
  'DisruptionTarget',
  'AllContainersRestarting',
]);

/**
 * Returns the kubelet's conditions with the time of their last status change; others keep theirs. Ports
 * updateLastTransitionTime (pkg/kubelet/status/status_manager.go).
 */
export function updateLastTransitionTimes(
  conditions: readonly PodCondition[],
  oldConditions: readonly PodCondition[],
  now: number,
): PodCondition[] {
  return conditions.map((condition) => {
    if (!TIMED.has(condition.type)) return condition;
    const old = oldConditions.find((c) => c.type === condition.type);
    const lastTransitionTime = old?.status === condition.status ? old.lastTransitionTime : now;
    return lastTransitionTime === undefined ? condition : { ...condition, lastTransitionTime };
  });
}

/** Returns a pod's last status, with all containers terminated. Ports TerminatePod (status_manager.go). */
export function terminatedStatus(pod: Pod, status: PodStatus): PodStatus {
  const { containerStatuses, initContainerStatuses } = status;
  const ended = hasPodInitialized(pod) ? containerStatuses?.map(endLost) : containerStatuses;
  const initEnded = initContainerStatuses && endInitialized(initContainerStatuses);
  const isTerminal = status.phase === 'Succeeded' || status.phase === 'Failed';
  const phase = isStaticPod(pod) || isTerminal ? {} : { phase: 'Failed' as const };
  const statuses = present({ containerStatuses: ended, initContainerStatuses: initEnded });
  return { ...status, ...statuses, ...phase };
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

/** Terminates the init containers up to the last one that has started, or the first. Ports initializedContainers. */
function endInitialized(statuses: readonly ContainerStatus[]): ContainerStatus[] {
  const last = statuses.findLastIndex(
    ({ state, lastTerminationState }) =>
      state.waiting === undefined || lastTerminationState.terminated !== undefined,
  );
  return statuses.map((status, index) => (index <= Math.max(0, last) ? endLost(status) : status));
}

/** Uses the API server's status. Ports hasPodInitialized (pkg/kubelet/status/status_manager.go). */
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
