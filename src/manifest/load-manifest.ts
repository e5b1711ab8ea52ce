import type { ConfigMap, Secret } from '../api/index.js';
import type { Diagnostic } from './diagnostic.js';
import { classify } from './known-kinds.js';
import { loadConfigMap, loadSecret } from './load-config.js';
import { type LoadOptions, loadPod } from './load-pod.js';
import type { LoadedPod } from './loaded-pod.js';
import { locate } from './locate.js';
import { type ManifestObject, readObjects } from './manifest-object.js';
import { type ManifestSource, SourceFile } from './source-file.js';

export interface LoadedManifest {
  /** In the order of the sources; a pod with errors is not among them. */
  readonly pods: readonly LoadedPod[];
  readonly configMaps: readonly ConfigMap[];
  readonly secrets: readonly Secret[];
  /** How many objects of each other kind there were, by kind. */
  readonly passedOver: ReadonlyMap<string, number>;
  /** In the order of the sources and of their texts. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the pods out of manifests: pods, and what controllers would make of the workloads. Every mistake of
 * every source is a diagnostic; not to find a pod at all is one, too.
 */
export function loadManifest(
  sources: readonly ManifestSource[],
  options: LoadOptions = {},
): LoadedManifest {
  const files = sources.map((source) => new SourceFile(source));
  const loader = new Loader(options);
  for (const object of files.flatMap(readObjects)) loader.add(object);
  if (loader.pods.length === 0) reportNoPods(files, loader);
  return {
    pods: loader.pods,
    configMaps: loader.configMaps,
    secrets: loader.secrets,
    passedOver: loader.passedOver,
    diagnostics: files.flatMap((file) => file.diagnostics()),
  };
}

class Loader {
  readonly pods: LoadedPod[] = [];
  readonly configMaps: ConfigMap[] = [];
  readonly secrets: Secret[] = [];
  readonly passedOver = new Map<string, number>();
  readonly #options: LoadOptions;
  readonly #ordinals = new Map<string, number>();

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  add(object: ManifestObject): void {
    const found = classify(object);
    switch (found.kind) {
      case 'pod': {
        const pod = loadPod(object, found.podKind, this.#options, (key) => this.#ordinal(key));
        if (pod !== undefined) this.pods.push(pod);
        return;
      }
      case 'unknown':
        object.source.error(
          locate(object.node, found.field),
          found.field,
          found.message,
          found.hint,
        );
        return;
      case 'other':
        this.#addOther(object);
    }
  }

  #addOther(object: ManifestObject): void {
    const { apiVersion, kind } = object;
    if (apiVersion === 'v1' && kind === 'ConfigMap') this.configMaps.push(loadConfigMap(object));
    else if (apiVersion === 'v1' && kind === 'Secret') this.secrets.push(loadSecret(object));
    else this.passedOver.set(kind, (this.passedOver.get(kind) ?? 0) + 1);
  }

  /** How many times a key has been asked for before. */
  #ordinal(key: string): number {
    const ordinal = this.#ordinals.get(key) ?? 0;
    this.#ordinals.set(key, ordinal + 1);
    return ordinal;
  }
}

function reportNoPods(files: readonly SourceFile[], loader: Loader): void {
  if (files.some((file) => file.hasErrors())) return;
  const { configMaps, secrets, passedOver } = loader;
  const others = [...passedOver.values()].reduce((sum, count) => sum + count, 0);
  const hint = 'kprobe runs Pods and what makes them: Deployments, StatefulSets, Jobs and the like';
  for (const file of files) {
    if (file.text.trim() === '') file.error(0, '', 'the file is empty', hint);
    else if (others + configMaps.length + secrets.length === 0) {
      file.error(0, '', 'there is no object in it', hint);
    } else file.error(0, '', 'there is no pod in it', hint);
  }
}
