import type { Container } from '../../api/index.js';
import type { Result } from '../../trace/event.js';
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

/** Results of the liveness and startup probes, by the runtime's id of the container. */
export interface ProbeResults {
  readonly liveness: (id: string) => Result | undefined;
  readonly startup: (id: string) => Result | undefined;
}

/** Returns the kill of a container in an unknown state, before it is started again. */
export function killUnknown(
  container: Container,
  status: RuntimeContainerStatus,
  subject = 'Container',
): ContainerToKillInfo {
  const message = `${subject} is in "${status.state}" state, try killing it before restart`;
  return { id: status.id, container, message, reason: 'Unknown' };
}
