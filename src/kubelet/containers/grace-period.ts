import type { Container, Pod } from '../../api/index.js';
import type { ContainerKillReason } from './container-to-kill.js';

/** Seconds that a container always gets. */
export const MINIMUM_GRACE_PERIOD = 2;

/**
 * The seconds that a container gets to end in: the deletion's, the probe's that killed it, or the pod's. Ports
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
