import type { PodCondition } from '../../api/index.js';
import type { ApiPod } from './objects.js';

/** Ports GetPodReadyCondition (pkg/api/v1/pod/util.go). */
function getPodReadyCondition({ status }: ApiPod): PodCondition | undefined {
  return status.conditions?.find(({ type }) => type === 'Ready');
}

/** Ports IsPodReady (pkg/api/v1/pod/util.go). */
export function isPodReady(pod: ApiPod): boolean {
  return getPodReadyCondition(pod)?.status === 'True';
}

/** Returns the time since which the pod is ready. Ports podReadyTime (pkg/controller/controller_utils.go). */
export function podReadyTime(pod: ApiPod): number | undefined {
  const condition = getPodReadyCondition(pod);
  return condition?.status === 'True' ? condition.lastTransitionTime : undefined;
}

/** Ports IsPodAvailable (pkg/api/v1/pod/util.go). */
export function isPodAvailable(pod: ApiPod, minReadySeconds: number, now: number): boolean {
  if (!isPodReady(pod)) return false;
  if (minReadySeconds === 0) return true;
  const since = podReadyTime(pod);
  return since !== undefined && since + minReadySeconds * 1000 <= now;
}

/** Ports IsPodTerminal (pkg/api/v1/pod/util.go). */
export function isPodTerminal({ status: { phase } }: ApiPod): boolean {
  return phase === 'Failed' || phase === 'Succeeded';
}

/** Ports IsPodActive (pkg/controller/controller_utils.go). */
export function isPodActive(pod: ApiPod): boolean {
  return !isPodTerminal(pod) && pod.metadata.deletionTimestamp === undefined;
}

/** Ports IsPodTerminating (pkg/controller/controller_utils.go). */
export function isPodTerminating(pod: ApiPod): boolean {
  return !isPodTerminal(pod) && pod.metadata.deletionTimestamp !== undefined;
}

/**
 * Returns milliseconds until the next pod becomes available. Ports FindMinNextPodAvailabilityCheck
 * (pkg/controller/controller_utils.go).
 */
export function findMinNextPodAvailabilityCheck(
  pods: readonly ApiPod[],
  minReadySeconds: number,
  now: number,
): number | undefined {
  if (minReadySeconds <= 0) return undefined;
  let least: number | undefined;
  for (const pod of pods) {
    const since = podReadyTime(pod);
    const wait = since === undefined ? 0 : since + minReadySeconds * 1000 - now;
    if (wait > 0) least = Math.min(least ?? wait, wait);
  }
  return least;
}
