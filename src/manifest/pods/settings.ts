import type { ApiServer } from '../../api/admission/index.js';
import { isObject, ownField, type Pod, type PodSpec, valueAt } from '../../api/index.js';
import { type Diagnostic, hasErrors } from '../diagnostic.js';
import { loadManifest } from './load-manifest.js';

export type ChangedPod =
  | {
      readonly kind: 'pod';
      readonly pod: Pod;
      /** Settings that the API server's defaults have replaced, and the server's warnings about the pod. */
      readonly notes: readonly string[];
    }
  | { readonly kind: 'problems'; readonly messages: readonly string[] };

/** Returns the pod with other settings and the API server's defaults; what the server would reject is a problem. */
export function withSettings(
  pod: Pod,
  settings: readonly Setting[],
  server?: ApiServer,
): ChangedPod {
  const spec = JSON.parse(JSON.stringify(pod.spec)) as Tree;
  for (const setting of settings) {
    const problem = apply(spec, setting);
    if (problem !== undefined) return { kind: 'problems', messages: [problem] };
  }
  const { pods, diagnostics } = load(pod, spec, server);
  const [loaded] = pods;
  if (loaded === undefined || hasErrors(diagnostics)) {
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    return { kind: 'problems', messages: errors.map(messageOf) };
  }
  const known = load(pod, pod.spec, server).diagnostics.map(messageOf);
  const warnings = diagnostics.map(messageOf).filter((message) => !known.includes(message));
  return {
    kind: 'pod',
    pod: { ...pod, spec: loaded.pod.spec },
    notes: [...settingNotes(settings, loaded.pod.spec), ...warnings],
  };
}

export function settingsFor({ spec }: Pod, settings: readonly Setting[]): readonly Setting[] {
  return settings.filter(({ path }) => path.length === 1 || containerOf(spec, path) !== undefined);
}

export function missingContainerMessage(
  pods: readonly Pod[],
  settings: readonly Setting[],
): string | undefined {
  const setting = settings.find((each) =>
    pods.every((pod) => settingsFor(pod, [each]).length === 0),
  );
  const containers = pods.flatMap(({ spec }) => containersOf(spec));
  return setting && noContainer(setting, containers);
}

function noContainer({ text, path: [name] }: Setting, containers: readonly Tree[]): string {
  const names = [...new Set(containers.map((container) => String(container['name'])))];
  return `--set ${text}: no container "${name ?? ''}" (containers: ${names.join(', ')})`;
}

function load(
  { metadata }: Pod,
  spec: unknown,
  server: ApiServer | undefined,
): ReturnType<typeof loadManifest> {
  const { name, namespace, labels, annotations } = metadata;
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels, annotations },
    spec,
  };
  const text = JSON.stringify(pod);
  return loadManifest([{ file: 'pod', text }], { server });
}

function messageOf({ field, message, hint }: Diagnostic): string {
  return `${field}: ${message}${hint === undefined ? '' : ` (${hint})`}`;
}

const PROBES = ['startupProbe', 'readinessProbe', 'livenessProbe'];

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

/** Defines the field, which may be called `__proto__`. */
function setField(tree: Tree, key: string, value: unknown): void {
  Object.defineProperty(tree, key, { value, writable: true, enumerable: true, configurable: true });
}

/** An object of a pod's spec; earlier settings may have put any value in it. */
export type Tree = Record<string, unknown>;

/** Returns the container that a setting's path begins with; undefined for a setting of the pod. */
function containerOf(spec: object, [name]: readonly string[]): Tree | undefined {
  return containersOf(spec).find((candidate) => candidate['name'] === name);
}

/** Returns all containers; an earlier setting may have replaced the lists by any value. */
function containersOf(spec: object): readonly Tree[] {
  const { containers, initContainers } = spec as Tree;
  return [containers, initContainers].flatMap((list) =>
    Array.isArray(list) ? list.filter(isObject) : [],
  );
}

function settingNotes(settings: readonly Setting[], spec: PodSpec): readonly string[] {
  return settings.flatMap(({ text, path, value }) => {
    if (value !== 0 && value !== null) return [];
    const container = containerOf(spec, path);
    const now = container ? valueAt(container, path.slice(1)) : valueAt(spec, path);
    if (now === value || (typeof now !== 'number' && typeof now !== 'string')) return [];
    const reason = value === 0 ? '0 means unset; it is' : 'it is';
    return [`--set ${text}: ${reason} ${now}, the default`];
  });
}

/** `app.livenessProbe.timeoutSeconds=2`: a field of a container or of the pod's spec, and its value. */
export interface Setting {
  readonly text: string;
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Parses the argument of `--set`; returns the error's message when it is not a setting. */
export function parseSetting(text: string): Setting | { readonly message: string } {
  const match = /^([\w-]+(?:\.[\w-]+)*)=(.*)$/s.exec(text);
  if (match?.[1] === undefined || match[2] === undefined) {
    return { message: `--set ${text}: write it as app.livenessProbe.timeoutSeconds=2` };
  }
  return { text, path: match[1].split('.'), value: valueOf(match[2]) };
}

/** Parses numbers, true, false and null; everything else is a string. */
function valueOf(text: string): unknown {
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  const words: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };
  return Object.hasOwn(words, text) ? words[text] : text;
}
