import type { LoadedPod } from '../manifest/pods/load-pod.js';
import type { ObjectPair } from './diff-objects.js';

/**
 * Brings together the objects of two manifests that have the same kind, namespace and name, the n-th of one with the
 * n-th of the other; in the order of the second, and then what only the first has.
 */
export function pairObjects(
  before: readonly LoadedPod[],
  after: readonly LoadedPod[],
): ObjectPair[] {
  const olds = byKey(before);
  const news = byKey(after);
  const keys = [...new Set([...news.keys(), ...olds.keys()])];
  return keys.map((key) => {
    const [old, now] = [olds.get(key), news.get(key)];
    return { ...nameOf(now ?? old), ...(old && { before: old }), ...(now && { after: now }) };
  });
}

function byKey(pods: readonly LoadedPod[]): ReadonlyMap<string, LoadedPod> {
  const found = new Map<string, LoadedPod>();
  for (const pod of pods) {
    const { kind, namespace, name } = nameOf(pod);
    let ordinal = 0;
    const key = (): string => [kind, namespace, name, ordinal].join('/');
    while (found.has(key())) ordinal++;
    found.set(key(), pod);
  }
  return found;
}

function nameOf(pod: LoadedPod | undefined): { kind: string; namespace: string; name: string } {
  const { kind = '', name = '' } = pod?.source ?? {};
  return { kind, namespace: pod?.pod.metadata.namespace ?? '', name };
}
