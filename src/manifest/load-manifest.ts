import type { ConfigMap, Secret } from '../api/types/config.js';
import type { Diagnostic } from './diagnostic.js';
import { podKind } from './kinds.js';
import { loadPod } from './load-pod.js';
import type { LoadedPod } from './loaded-pod.js';
import { type ManifestObject, readObjects } from './manifest-object.js';
import { type ManifestSource, SourceFile } from './source-file.js';

export interface LoadedManifest {
  readonly pods: readonly LoadedPod[];
  readonly configMaps: readonly ConfigMap[];
  readonly secrets: readonly Secret[];
  /** How many objects of each other kind there were. */
  readonly passedOver: ReadonlyMap<string, number>;
  /** In the order of the sources and of their texts. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the pods out of manifests; every mistake of every source is a diagnostic. */
export function loadManifest(sources: readonly ManifestSource[]): LoadedManifest {
  const files = sources.map((source) => new SourceFile(source));
  const passedOver = new Map<string, number>();
  const pods: LoadedPod[] = [];
  for (const object of files.flatMap(readObjects)) {
    const kind = podKind(object.kind);
    if (kind?.apiVersion !== object.apiVersion) {
      passOver(object, passedOver);
      continue;
    }
    const pod = loadPod(object, kind, pods.length);
    if (pod !== undefined) pods.push(pod);
  }
  const diagnostics = files.flatMap((file) => file.diagnostics());
  return { pods, configMaps: [], secrets: [], passedOver, diagnostics };
}

function passOver(object: ManifestObject, counts: Map<string, number>): void {
  counts.set(object.kind, (counts.get(object.kind) ?? 0) + 1);
}
