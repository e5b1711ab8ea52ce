import { type Difference, diffPair, pairObjects } from '../diff/diff-objects.js';
import type { LoadedPod } from '../manifest/pods/load-pod.js';

/** Returns the differences between the pods and workloads of two manifests, without equal ones. */
export function diff(before: readonly LoadedPod[], after: readonly LoadedPod[]): Difference[] {
  return pairObjects(before, after).flatMap((pair) => diffPair(pair) ?? []);
}
