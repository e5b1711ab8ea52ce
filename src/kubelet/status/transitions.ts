import type {
  Container,
  ContainerState,
  ContainerStatus,
  Pod,
  PodCondition,
  PodSpec,
  PodStatus,
} from '../../api/index.js';
import { isStaticPod } from '../pod-name.js';
import {
  allContainersCouldRestart,
  containerShouldRestart,
  isRestartableInitContainer,
} from '../restart-policy.js';
import { CONTAINER_STATUS_UNKNOWN } from './container-statuses.js';

/**
 * The error of a status in which a container that had ended for good lives again, or undefined. Ports
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

/** The conditions whose times the status manager keeps. */
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
 * The conditions with the time at which each one's status last changed; those of others keep theirs. Ports
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
