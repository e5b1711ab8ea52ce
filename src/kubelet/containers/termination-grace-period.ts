import type { Container, Pod } from '../../api/index.js';

/** Reason of a kill, which determines the grace period. Ports containerKillReason (kuberuntime_manager.go). */
export type ContainerKillReason =
  | 'StartupProbe'
  | 'LivenessProbe'
  | 'FailedPostStartHook'
  | 'RestartAllContainers'
  | 'Unknown'
  | '';

/** Seconds of the shortest grace period (minimumGracePeriodInSeconds). */
export const MINIMUM_GRACE_PERIOD = 2;

/** Returns the grace period of a pod's deletion in seconds, with the default that the API server sets. */
export function podGracePeriod({ spec }: Pod): number {
  return spec.terminationGracePeriodSeconds ?? 30;
}

/**
 * Returns the grace period in seconds: that of the deletion, of the failed probe, or of the pod. Ports
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
