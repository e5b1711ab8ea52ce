import { type Difference, diffPair, pairObjects } from '../diff/diff-objects.js';
import type { LoadedPod } from '../manifest/pods/load-pod.js';

/** How the pods and workloads of two manifests differ; those that do not are left out. */
export function diff(before: readonly LoadedPod[], after: readonly LoadedPod[]): Difference[] {
  return pairObjects(before, after).flatMap((pair) => diffPair(pair) ?? []);
}
