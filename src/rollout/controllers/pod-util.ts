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

/** Returns whether a pod of a workload is available. Ports IsPodAvailable (pkg/api/v1/pod/util.go). */
export function isAvailable(
  { spec: { minReadySeconds } }: { readonly spec: { readonly minReadySeconds: number } },
  pod: ApiPod,
  now: number,
): boolean {
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
  return !isPodTerminal(pod) && !isTerminating(pod);
}

/** Ports IsPodTerminating (pkg/controller/controller_utils.go). */
export function isPodTerminating(pod: ApiPod): boolean {
  return !isPodTerminal(pod) && isTerminating(pod);
}

/** Ports isTerminating (pkg/controller/statefulset/stateful_set_utils.go). */
export function isTerminating({ metadata }: ApiPod): boolean {
  return metadata.deletionTimestamp !== undefined;
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
  let min: number | undefined;
  for (const pod of pods) {
    const since = podReadyTime(pod);
    const wait = since === undefined ? 0 : since + minReadySeconds * 1000 - now;
    if (wait > 0) min = Math.min(min ?? wait, wait);
  }
  return min;
}
