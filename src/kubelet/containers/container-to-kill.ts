import type { Container } from '../../api/index.js';
import type { RuntimeContainerStatus } from '../ports.js';
import type { KillRequest } from './container-killer.js';

/** Ports containerToKillInfo (pkg/kubelet/kuberuntime/kuberuntime_manager.go). */
export type ContainerToKillInfo = Pick<KillRequest, 'id' | 'container' | 'message' | 'reason'>;

/** Returns the kill of a container in an unknown state, before it is started again. */
export function killUnknown(
  container: Container,
  status: RuntimeContainerStatus,
  subject = 'Container',
): ContainerToKillInfo {
  const message = `${subject} is in "${status.state}" state, try killing it before restart`;
  return { id: status.id, container, message, reason: 'Unknown' };
}
