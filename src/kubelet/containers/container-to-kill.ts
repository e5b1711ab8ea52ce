import type { Container } from '../../api/index.js';
import type { Result } from '../event.js';
import type { RuntimeContainerStatus } from '../ports.js';

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
export interface ProbeResults {
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
