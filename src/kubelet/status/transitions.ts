import {
  type Container,
  type ContainerStatus,
  omitUndefined,
  type Pod,
  type PodCondition,
  type PodSpec,
  type PodStatus,
} from '../../api/index.js';
import { isStaticPod } from '../pod-name.js';
import {
  allContainersCouldRestart,
  containerShouldRestart,
  isRestartableInitContainer,
} from '../restart-policy.js';
import { LOST_MESSAGE, lostState } from './container-statuses.js';

/**
 * Returns false for a status in which a container that may not restart is no longer terminated. Ports
 * checkContainerStateTransition (pkg/kubelet/status/status_manager.go).
 */
export function checkContainerStateTransition(
  oldStatus: PodStatus,
  newStatus: PodStatus,
  spec: PodSpec,
): boolean {
  if (spec.restartPolicy === 'Always' || allContainersCouldRestart(spec)) return true;
  const { containers, initContainers = [] } = spec;
  const { containerStatuses, initContainerStatuses = [] } = oldStatus;
  return (
    initContainerStatuses.every(({ name }, index) => initContainers[index]?.name === name) &&
    !isAnyRevived(containerStatuses, newStatus.containerStatuses, spec, containers) &&
    !isAnyRevived(initContainerStatuses, newStatus.initContainerStatuses, spec, initContainers)
  );
}

function isAnyRevived(
  before: readonly ContainerStatus[] = [],
  after: readonly ContainerStatus[] = [],
  spec: PodSpec,
  containers: readonly Container[],
): boolean {
  return before.some(({ name, state }) => {
    const container = containers.find((c) => c.name === name);
    if (container === undefined || state.terminated === undefined) return false;
    if (isRestartableInitContainer(container)) return false;
    const { exitCode } = state.terminated;
    if (exitCode !== 0 && spec.restartPolicy === 'OnFailure') return false;
    if (containerShouldRestart(container, spec, exitCode)) return false;
    const current = after.find((c) => c.name === name);
    return current !== undefined && current.state.terminated === undefined;
  });
}

/** Condition types whose transition times the status manager sets. */
const TIMED_CONDITIONS: ReadonlySet<string> = new Set([
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
    if (!TIMED_CONDITIONS.has(condition.type)) return condition;
    const old = oldConditions.find((c) => c.type === condition.type);
    const lastTransitionTime = old?.status === condition.status ? old.lastTransitionTime : now;
    return lastTransitionTime === undefined ? condition : { ...condition, lastTransitionTime };
  });
}

/** Returns a pod's last status, with all containers terminated. Ports TerminatePod (status_manager.go). */
export function terminatedStatus(pod: Pod, status: PodStatus): PodStatus {
  const { containerStatuses, initContainerStatuses } = status;
  const isTerminal = status.phase === 'Succeeded' || status.phase === 'Failed';
  const phase = isStaticPod(pod) || isTerminal ? {} : { phase: 'Failed' as const };
  const statuses = omitUndefined({
    containerStatuses: hasPodInitialized(pod)
      ? containerStatuses?.map(terminate)
      : containerStatuses,
    initContainerStatuses: initContainerStatuses && terminateInitialized(initContainerStatuses),
  });
  return { ...status, ...statuses, ...phase };
}

function terminate(status: ContainerStatus): ContainerStatus {
  return status.state.terminated === undefined
    ? { ...status, state: lostState(LOST_MESSAGE) }
    : status;
}

/** Terminates the init containers up to the last one that has started, or the first. Ports initializedContainers. */
function terminateInitialized(statuses: readonly ContainerStatus[]): ContainerStatus[] {
  const last = statuses.findLastIndex(hasStarted);
  return statuses.map((status, index) => (index <= Math.max(0, last) ? terminate(status) : status));
}

function hasStarted({ state, lastTerminationState }: ContainerStatus): boolean {
  return state.waiting === undefined || lastTerminationState.terminated !== undefined;
}

/** Returns whether the API server's status shows an initialized pod. Ports hasPodInitialized (status_manager.go). */
function hasPodInitialized({ spec, status }: Pod): boolean {
  const inits = spec.initContainers ?? [];
  if (inits.length === 0) return true;
  if (status.containerStatuses?.some(hasStarted) === true) return true;
  const last = status.initContainerStatuses?.at(-1);
  const container = inits.find(({ name }) => name === last?.name);
  return last !== undefined && container !== undefined && isInitialized(container, last);
}

function isInitialized(
  container: Container,
  { state, started, lastTerminationState }: ContainerStatus,
): boolean {
  if (isRestartableInitContainer(container)) return state.running !== undefined && started === true;
  return state.terminated?.exitCode === 0 || lastTerminationState.terminated?.exitCode === 0;
}
