import type { Container, Pod } from '../../api/index.js';
import type { Result } from '../event.js';
import type { RuntimeContainerStatus } from '../ports.js';

/** Seconds: the shortest grace period of a container. */
export const MINIMUM_GRACE_PERIOD = 2;

/**
 * Returns the grace period in seconds: the deletion's, that of the probe that failed, or the pod's. Ports
 * setTerminationGracePeriod (pkg/kubelet/kuberuntime/kuberuntime_container.go).
 */
export function setTerminationGracePeriod(
  pod: Pod,
  container: Container,
  reason: ContainerKillReason,
): number {
  const { deletionGracePeriodSeconds } = pod.metadata;
  if (deletionGracePeriodSeconds !== undefined) return deletionGracePeriodSeconds;
  const { terminationGracePeriodSeconds } = pod.spec;
  if (terminationGracePeriodSeconds === undefined) return MINIMUM_GRACE_PERIOD;
  const probe =
    reason === 'StartupProbe'
      ? container.startupProbe
      : reason === 'LivenessProbe'
        ? container.livenessProbe
        : undefined;
  return probe?.terminationGracePeriodSeconds ?? terminationGracePeriodSeconds;
}

/** Reason of a kill, which determines the grace period. Ports containerKillReason (kuberuntime_manager.go). */
export type ContainerKillReason =
  | 'StartupProbe'
  | 'LivenessProbe'
  | 'FailedPostStartHook'
  | 'RestartAllContainers'
  | 'Unknown'
  | '';

/** Ports containerToKillInfo (pkg/kubelet/kuberuntime/kuberuntime_manager.go). */
export interface ContainerToKillInfo {
  readonly id: string;
  readonly container: Container;
  readonly message: string;
  readonly reason: ContainerKillReason;
}

/** Probe results of running containers, by the runtime's id. */
export interface ProbeVerdicts {
  readonly liveness: (id: string) => Result | undefined;
  readonly startup: (id: string) => Result | undefined;
}

/** Kills a container in an unknown state before it is started again. */
export function killUnknown(
  container: Container,
  status: RuntimeContainerStatus,
  what = 'Container',
): ContainerToKillInfo {
  const message = `${what} is in "${status.state}" state, try killing it before restart`;
  return { id: status.id, container, message, reason: 'Unknown' };
}
