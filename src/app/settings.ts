import { ownField, type Pod } from '../api/index.js';
import { type Diagnostic, hasErrors } from '../manifest/diagnostic.js';
import { loadManifest } from '../manifest/pods/load-manifest.js';
import type { Setting } from './parse-setting.js';
import { settingNotes } from './setting-notes.js';
import { containerOf, containersOf, type Tree } from './setting-target.js';

export type ChangedPod =
  | {
      readonly kind: 'pod';
      readonly pod: Pod;
      /** What has become of a setting that is not what was written, and what is odd about the pod now. */
      readonly notes: readonly string[];
    }
  | { readonly kind: 'problems'; readonly messages: readonly string[] };

/** The pod with other settings, as an API server would take it; what it would refuse is a problem. */
export function withSettings(pod: Pod, settings: readonly Setting[]): ChangedPod {
  const spec = JSON.parse(JSON.stringify(pod.spec)) as Tree;
  for (const setting of settings) {
    const problem = apply(spec, setting);
    if (problem !== undefined) return { kind: 'problems', messages: [problem] };
  }
  const { pods, diagnostics } = load(pod, spec);
  const [loaded] = pods;
  if (loaded === undefined || hasErrors(diagnostics)) {
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    return { kind: 'problems', messages: errors.map(messageOf) };
  }
  const known = load(pod, pod.spec).diagnostics.map(messageOf);
  const warnings = diagnostics.map(messageOf).filter((message) => !known.includes(message));
  return {
    kind: 'pod',
    pod: { ...pod, spec: loaded.pod.spec },
    notes: [...settingNotes(settings, loaded.pod.spec), ...warnings],
  };
}

/** The settings that are about this pod: those of its containers, and of the pod itself. */
export function settingsOf({ spec }: Pod, settings: readonly Setting[]): readonly Setting[] {
  return settings.filter(({ path }) => path.length === 1 || containerOf(spec, path) !== undefined);
}

/** What is against a setting of a container that none of the pods has. */
export function missingContainer(
  pods: readonly Pod[],
  settings: readonly Setting[],
): string | undefined {
  const setting = settings.find((each) =>
    pods.every((pod) => settingsOf(pod, [each]).length === 0),
  );
  return (
    setting &&
    noContainer(
      setting,
      pods.flatMap(({ spec }) => containersOf(spec)),
    )
  );
}

function noContainer({ text, path: [name] }: Setting, containers: readonly Tree[]): string {
  const names = [...new Set(containers.map((container) => String(container['name'])))];
  return `--set ${text}: there is no container ${name ?? ''}: there is ${names.join(', ')}`;
}

function load({ metadata }: Pod, spec: unknown): ReturnType<typeof loadManifest> {
  const { name, namespace, labels, annotations } = metadata;
  const object = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels, annotations },
    spec,
  };
  return loadManifest([{ file: 'pod', text: JSON.stringify(object) }]);
}

function messageOf({ field, message, hint }: Diagnostic): string {
  return `${field}: ${message}${hint === undefined ? '' : ` (${hint})`}`;
}

const PROBES = ['startupProbe', 'readinessProbe', 'livenessProbe'];

/** Changes a spec in place; what is against it. */
function apply(spec: Tree, setting: Setting): string | undefined {
  const { text, path, value } = setting;
  const [name = '', ...rest] = path;
  const container = containerOf(spec, path);
  if (container === undefined && rest.length > 0) return noContainer(setting, containersOf(spec));
  const [last = ''] = path.slice(-1);
  if (container !== undefined && (rest.length === 0 || rest.join('.') === 'name')) {
    return `--set ${text}: name a field of ${name}, such as ${name}.livenessProbe.timeoutSeconds`;
  }
  let tree: Tree = container ?? spec;
  for (const key of (container === undefined ? path : rest).slice(0, -1)) {
    const next = ownField(tree, key) ?? {};
    if (typeof next !== 'object') return `--set ${text}: ${key} has no fields`;
    setField(tree, key, next);
    tree = next as Tree;
  }
  const isCopy = PROBES.includes(last) && typeof value === 'string' && container !== undefined;
  const copied = isCopy ? ownField(container, value) : value;
  if (copied === undefined) return `--set ${text}: ${name} has no ${String(value)}`;
  if (copied === null) Reflect.deleteProperty(tree, last);
  else setField(tree, last, JSON.parse(JSON.stringify(copied)));
  return undefined;
}

/** A field may be called `__proto__`. */
function setField(tree: Tree, key: string, value: unknown): void {
  Object.defineProperty(tree, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}
