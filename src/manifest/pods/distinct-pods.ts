import { isObject } from '../../api/index.js';
import type { Diagnostic } from '../diagnostic.js';
import type { LoadedManifest } from './load-manifest.js';
import { type LoadedPod, stableUid } from './load-pod.js';

/**
 * Gives the pods of a manifest distinct names, as in a cluster. Workloads of different kinds may share a name: their
 * pods get the kind as a suffix. The same object twice is an error.
 */
export function distinctPods(manifest: LoadedManifest): LoadedManifest {
  const duplicates = duplicatePods(manifest.pods);
  return {
    ...manifest,
    pods: withDistinctNames(manifest.pods),
    diagnostics: [...manifest.diagnostics, ...duplicates],
  };
}

/** Reports every object of a kind, namespace and name that an earlier object has. */
function duplicatePods(pods: readonly LoadedPod[]): readonly Diagnostic[] {
  const first = new Map<string, LoadedPod>();
  return pods.flatMap((loaded): Diagnostic[] => {
    const { kind, name, file, line } = loaded.source;
    const { namespace } = loaded.pod.metadata;
    const key = `${kind} ${namespace}/${name}`;
    const earlier = first.get(key);
    if (earlier === undefined || hasGeneratedName(loaded)) {
      first.set(key, loaded);
      return [];
    }
    const message = `${kind} ${name} of namespace ${namespace} is also at ${earlier.source.file}:${earlier.source.line}`;
    const hint = 'leave one of them out, or give it another name or namespace';
    return [{ severity: 'error', file, line, column: 1, field: 'metadata.name', message, hint }];
  });
}

function hasGeneratedName({ stored, source }: LoadedPod): boolean {
  const metadata = 'metadata' in stored && isObject(stored.metadata) ? stored.metadata : {};
  const base = metadata['generateName'];
  return typeof base === 'string' && base !== '' && source.name.startsWith(base);
}

function withDistinctNames(pods: readonly LoadedPod[]): readonly LoadedPod[] {
  const sharing = new Map<string, number>();
  for (const { pod } of pods) sharing.set(keyOf(pod), (sharing.get(keyOf(pod)) ?? 0) + 1);
  // The pod of a Pod object keeps its name.
  const isKept = ({ pod, source }: LoadedPod): boolean =>
    source.kind === 'Pod' || sharing.get(keyOf(pod)) === 1;
  const taken = new Set(pods.filter(isKept).map(({ pod }) => keyOf(pod)));
  return pods.map((loaded) => {
    if (isKept(loaded)) return loaded;
    const { pod, source } = loaded;
    let renamed = pod;
    for (let n = 1; renamed === pod || taken.has(keyOf(renamed)); n++) {
      const name = `${pod.metadata.name}-${source.kind.toLowerCase()}${n === 1 ? '' : `-${n}`}`;
      // Another UID: with --watch, the old one may belong to a pod of the old name.
      const uid = stableUid(`${pod.metadata.uid}/${name}`);
      renamed = { ...pod, metadata: { ...pod.metadata, name, uid } };
    }
    taken.add(keyOf(renamed));
    return { ...loaded, pod: renamed };
  });
}

function keyOf({ metadata: { namespace, name } }: LoadedPod['pod']): string {
  return `${namespace}/${name}`;
}
