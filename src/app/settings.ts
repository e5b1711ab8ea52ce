import type { Pod } from '../api/types/pod.js';
import { hasErrors } from '../manifest/diagnostic.js';
import { loadManifest } from '../manifest/load-manifest.js';

/** `app.livenessProbe.timeoutSeconds=2`: a field of a container, or of the pod's spec, and what it is to be. */
export interface Setting {
  /** As it was written. */
  readonly text: string;
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Something against a setting. */
export interface SettingProblem {
  readonly message: string;
}

/** Reads what stands behind `--set`. */
export function parseSetting(text: string): Setting | SettingProblem {
  const match = /^([\w-]+(?:\.[\w-]+)*)=(.*)$/s.exec(text);
  if (match?.[1] === undefined || match[2] === undefined) {
    return { message: `--set ${text}: write it as app.livenessProbe.timeoutSeconds=2` };
  }
  return { text, path: match[1].split('.'), value: valueOf(match[2]) };
}

/** A number, true, false and null are what they are; everything else is a text. */
function valueOf(text: string): unknown {
  if (/^-?\d+$/.test(text)) return Number(text);
  const words: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };
  return Object.hasOwn(words, text) ? words[text] : text;
}

export type ChangedPod =
  | { readonly kind: 'pod'; readonly pod: Pod }
  | { readonly kind: 'problems'; readonly messages: readonly string[] };

/** The pod with other settings, as an API server would take it; what it would refuse is a problem. */
export function withSettings(pod: Pod, settings: readonly Setting[]): ChangedPod {
  const spec = JSON.parse(JSON.stringify(pod.spec)) as Tree;
  for (const setting of settings) {
    const problem = apply(spec, setting);
    if (problem !== undefined) return { kind: 'problems', messages: [problem] };
  }
  const { name, namespace, labels, annotations } = pod.metadata;
  const object = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels, annotations },
    spec,
  };
  const { pods, diagnostics } = loadManifest([{ file: 'pod', text: JSON.stringify(object) }]);
  const [loaded] = pods;
  if (loaded === undefined || hasErrors(diagnostics)) {
    const messages = diagnostics
      .filter(({ severity }) => severity === 'error')
      .map(
        ({ field, message, hint }) =>
          `${field}: ${message}${hint === undefined ? '' : ` (${hint})`}`,
      );
    return { kind: 'problems', messages };
  }
  return { kind: 'pod', pod: { ...pod, spec: loaded.pod.spec } };
}

type Tree = Record<string, unknown>;

const PROBES = ['startupProbe', 'readinessProbe', 'livenessProbe'];

/** Changes a spec in place; what is against it. */
function apply(spec: Tree, { text, path, value }: Setting): string | undefined {
  const [name = '', ...rest] = path;
  const container = containersOf(spec).find((candidate) => candidate['name'] === name);
  if (container === undefined && rest.length > 0) {
    const names = containersOf(spec).map((candidate) => String(candidate['name']));
    return `--set ${text}: there is no container ${name}: there is ${names.join(', ')}`;
  }
  const [last = ''] = path.slice(-1);
  const parents = (container === undefined ? path : rest).slice(0, -1);
  if (container !== undefined && rest.length === 0) {
    return `--set ${text}: name a field of ${name}, such as ${name}.livenessProbe.timeoutSeconds`;
  }
  let tree: Tree = container ?? spec;
  for (const key of parents) {
    const next = (tree[key] ?? {}) as Tree;
    if (typeof next !== 'object') return `--set ${text}: ${key} has no fields`;
    tree = tree[key] = next;
  }
  const copied = PROBES.includes(last) && typeof value === 'string' ? container?.[value] : value;
  if (copied === undefined) return `--set ${text}: ${name} has no ${String(value)}`;
  if (copied === null) Reflect.deleteProperty(tree, last);
  else tree[last] = JSON.parse(JSON.stringify(copied));
  return undefined;
}

function containersOf({ containers, initContainers = [] }: Tree): readonly Tree[] {
  return [...(containers as Tree[]), ...(initContainers as Tree[])];
}
