import type {
  Container,
  ContainerStateTerminated,
  ContainerStatus,
  Pod,
  PodPhase,
} from '../../api/index.js';
import { isStaticPod } from '../pod-name.js';
import { containerShouldRestart, isRestartableInitContainer } from '../restart-policy.js';
import { RESTARTING_ALL_CONTAINERS } from './container-statuses.js';

export interface PhaseInput {
  readonly pod: Pod;
  /** Regular and init containers' statuses together. */
  readonly statuses: readonly ContainerStatus[];
  /** No container will be started again. */
  readonly podIsTerminal: boolean;
  /** The current sandbox has a regular container. */
  readonly podHasInitialized: boolean;
}

/** Returns the pod's phase. Ports getPhase (pkg/kubelet/kubelet_pods.go). */
export function getPhase({
  pod,
  statuses,
  podIsTerminal,
  podHasInitialized,
}: PhaseInput): PodPhase {
  const init = countInitContainers(pod, statuses);
  const sidecars = countSidecars(pod, statuses);
  const regular = countContainers(pod, statuses);
  const unknown = sidecars.unknown + regular.unknown;
  const running = sidecars.running + regular.running;
  const waiting = sidecars.waiting + regular.waiting;
  const { stopped, succeeded, stoppedNotRestartable } = regular;

  if (init.failedForGood > 0) return 'Failed';
  if (init.pending > 0) return 'Pending';
  // Restarting sidecars do not send a pod back whose regular containers have run.
  if (sidecars.pending > 0 && !podHasInitialized) return 'Pending';
  if (waiting > 0) return 'Pending';
  if (running > 0 && unknown === 0) return 'Running';
  if (running === 0 && stopped > 0 && unknown === 0) {
    if (podIsTerminal && !isStaticPod(pod)) return stopped === succeeded ? 'Succeeded' : 'Failed';
    // At least one container is to be restarted.
    if (stopped !== stoppedNotRestartable) return 'Running';
    return stopped === succeeded ? 'Succeeded' : 'Failed';
  }
  return 'Pending';
}

function countInitContainers(
  pod: Pod,
  statuses: readonly ContainerStatus[],
): Count<'pending' | 'failedForGood'> {
  let pending = 0;
  let failedForGood = 0;
  for (const container of pod.spec.initContainers ?? []) {
    if (isRestartableInitContainer(container)) continue;
    const status = statuses.find(({ name }) => name === container.name);
    const ended = status && endOf(status);
    if (ended === undefined) pending++;
    else if (ended.exitCode !== 0 && !mayRestart(pod, container, ended)) failedForGood++;
  }
  return { pending, failedForGood };
}

function countSidecars(
  pod: Pod,
  statuses: readonly ContainerStatus[],
): Count<'pending' | 'running' | 'waiting' | 'unknown'> {
  const count = { pending: 0, running: 0, waiting: 0, unknown: 0 };
  for (const container of pod.spec.initContainers ?? []) {
    if (!isRestartableInitContainer(container)) continue;
    const status = statuses.find(({ name }) => name === container.name);
    const state = status?.state;
    if (status === undefined) count.unknown++;
    else if (state?.running !== undefined) {
      if (status.started !== true) count.pending++;
      count.running++;
    } else if (endOf(status) !== undefined) {
      // Ended sidecars do not count.
    } else {
      count.pending++;
      if (state?.waiting !== undefined) count.waiting++;
      else count.unknown++;
    }
  }
  return count;
}

type Count<Key extends string> = Record<Key, number>;

function countContainers(
  pod: Pod,
  statuses: readonly ContainerStatus[],
): Count<'unknown' | 'running' | 'waiting' | 'stopped' | 'stoppedNotRestartable' | 'succeeded'> {
  const seen = { unknown: 0, running: 0, waiting: 0 };
  const count = { ...seen, stopped: 0, stoppedNotRestartable: 0, succeeded: 0 };
  for (const container of pod.spec.containers) {
    const status = statuses.find(({ name }) => name === container.name);
    const ended = status && endOf(status);
    if (status?.state.running !== undefined) count.running++;
    else if (ended !== undefined) {
      count.stopped++;
      if (!mayRestart(pod, container, ended)) count.stoppedNotRestartable++;
      // A container that waits to be restarted does not count as succeeded.
      if (status?.state.terminated?.exitCode === 0) count.succeeded++;
    } else if (status?.state.waiting !== undefined) count.waiting++;
    else count.unknown++;
  }
  return count;
}

/** Returns the container's last end, also while it waits for its next run. */
function endOf(status: ContainerStatus): ContainerStateTerminated | undefined {
  const { running, terminated, waiting } = status.state;
  if (running !== undefined) return undefined;
  if (terminated !== undefined) return terminated;
  return waiting === undefined ? undefined : status.lastTerminationState.terminated;
}

function mayRestart(pod: Pod, container: Container, ended: ContainerStateTerminated): boolean {
  return (
    containerShouldRestart(container, pod.spec, ended.exitCode) ||
    ended.reason === RESTARTING_ALL_CONTAINERS
  );
}
