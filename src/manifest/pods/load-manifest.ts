import type { PodKind } from '../../api/admission/index.js';
import { decode } from '../../api/decode/index.js';
import type { ConfigMap, Secret } from '../../api/index.js';
import type { Diagnostic } from '../diagnostic.js';
import { classify, mayHavePods, podKindsOf } from '../documents/known-kinds.js';
import { type ManifestObject, readObjects } from '../documents/manifest-object.js';
import { locate, reportIssue } from '../documents/report.js';
import { type ManifestSource, SourceFile } from '../documents/source-file.js';
import { summarizeTemplate } from '../documents/template.js';
import { type LoadedPod, type LoadOptions, loadPod } from './load-pod.js';

export interface LoadedManifest {
  /** Pods without errors, in the order of the sources. */
  readonly pods: readonly LoadedPod[];
  readonly configMaps: readonly ConfigMap[];
  readonly secrets: readonly Secret[];
  /** Number of objects of other kinds, by kind. */
  readonly passedOver: ReadonlyMap<string, number>;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the pods of manifests: pods, and those that controllers would create for workloads. Every mistake of every
 * source is a diagnostic, and so is a file without pods.
 */
export function loadManifest(
  sources: readonly ManifestSource[],
  options: LoadOptions = {},
): LoadedManifest {
  const files = sources.map((source) => new SourceFile(source));
  const loader = new Loader(options);
  for (const object of files.flatMap(readObjects)) loader.add(object);
  if (loader.pods.length === 0) reportNoPods(files, loader);
  for (const file of files) summarizeTemplate(file);
  const { pods, configMaps, secrets, passedOver } = loader;
  const diagnostics = files.flatMap((file) => file.diagnostics());
  return { pods, configMaps, secrets, passedOver, diagnostics };
}

class Loader {
  readonly pods: LoadedPod[] = [];
  readonly configMaps: ConfigMap[] = [];
  readonly secrets: Secret[] = [];
  readonly passedOver = new Map<string, number>();
  readonly #ordinals = new Map<string, number>();

  constructor(private readonly options: LoadOptions) {}

  add(object: ManifestObject): void {
    const found = classify(object);
    switch (found.kind) {
      case 'pod':
        this.#addPod(object, found.podKind);
        return;
      case 'unknown': {
        if (!mayHavePods(object)) return this.#addOther(object);
        const { field, message, hint } = found;
        return object.source.error(locate(object.node, field), field, message, hint);
      }
      case 'other':
        this.#addOther(object);
    }
  }

  #addOther(object: ManifestObject): void {
    const { apiVersion, kind } = object;
    if (apiVersion === 'v1' && kind === 'ConfigMap') this.configMaps.push(loadConfigMap(object));
    else if (apiVersion === 'v1' && kind === 'Secret') this.secrets.push(loadSecret(object));
    else if (!this.#addTemplates(object)) {
      this.passedOver.set(kind, (this.passedOver.get(kind) ?? 0) + 1);
    }
  }

  #addPod(object: ManifestObject, kind: PodKind): void {
    const pod = loadPod(object, kind, this.options, (key) => this.#ordinal(key));
    if (pod !== undefined) this.pods.push(pod);
  }

  /** Adds the pods of the templates in an object of a kind that is not known; false if there are none. */
  #addTemplates(object: ManifestObject): boolean {
    const kinds = podKindsOf(object);
    if (kinds.length === 0) return false;
    const { source, node, kind } = object;
    const offset = locate(node, 'kind');
    const message = `kprobe validates the probes of a ${kind}, not the rest of it`;
    source.report({ severity: 'info', offset, field: 'kind', message });
    for (const each of kinds) this.#addPod(object, each);
    return true;
  }

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
  const hint =
    'kprobe runs Pods and the workloads that create them: Deployments, StatefulSets, Jobs and so on';
  for (const file of files) {
    const missing = others + configMaps.length + secrets.length === 0 ? 'objects' : 'pods';
    const isEmpty = file.text.trim() === '';
    file.error(0, '', isEmpty ? 'the file is empty' : `the file contains no ${missing}`, hint);
  }
}

function loadConfigMap({ source, node }: ManifestObject): ConfigMap {
  const { value, issues } = decode(node, 'ConfigMap');
  for (const issue of issues) reportIssue(source, issue, 'warning');
  const { metadata, data = {}, binaryData = {} } = value;
  return {
    name: metadata?.name ?? '',
    namespace: metadata?.namespace ?? 'default',
    data,
    binaryData,
  };
}

/** Returns a Secret of a manifest; as on a server, its stringData is merged into data. */
function loadSecret({ source, node }: ManifestObject): Secret {
  const { value, issues } = decode(node, 'Secret');
  for (const issue of issues) reportIssue(source, issue, 'warning');
  const { metadata, data = {}, stringData = {} } = value;
  const encoded = Object.entries(stringData).map(
    ([key, text]) => [key, Buffer.from(text).toString('base64')] as const,
  );
  return {
    name: metadata?.name ?? '',
    namespace: metadata?.namespace ?? 'default',
    data: { ...data, ...Object.fromEntries(encoded) },
  };
}
