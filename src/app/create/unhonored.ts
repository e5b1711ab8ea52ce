import { isDeepStrictEqual } from 'node:util';

import { type Decoded, fieldsOf, type GoType, isObject } from '../../api/index.js';
import type { LoadedPod } from '../../manifest/pods/load-pod.js';
import type { Problem } from '../preflight.js';
import { FIELDS, NEUTRAL } from './fields.js';

/** The class of a field, and what to say about it. */
type Treatment =
  | { readonly kind: 'honored' | 'cluster' }
  | { readonly kind: 'warned' | 'refused' | 'noEffect'; readonly text: string };

/** Returns what `--create` does with a field of a struct; undefined for a field that is not classified. */
export function treatmentOf(struct: string, field: string): Treatment | undefined {
  const { honored = '', cluster = '', ...texts } = FIELDS[struct] ?? {};
  if (honored.split(/\s+/).includes(field)) return { kind: 'honored' };
  if (cluster.split(/\s+/).includes(field)) return { kind: 'cluster' };
  for (const kind of ['warned', 'refused', 'noEffect'] as const) {
    const text = texts[kind]?.[field];
    if (text !== undefined) return { kind, text };
  }
  return undefined;
}

interface Found {
  readonly path: string;
  readonly treatment: Treatment;
}

/**
 * Reports the fields of a pod, as it was written, that `--create` does not honor: from the list of those that it does,
 * so that a field of a later API cannot be missed. `isReplaced` selects values that a flag has something else for.
 */
export function unhonoredFields(
  { written, positions }: Pick<LoadedPod, 'written' | 'positions'>,
  isReplaced: (path: string) => boolean,
): Problem[] {
  const found = walkStruct('PodSpec', written, 'spec').filter(({ path }) => !isReplaced(path));
  const cluster = found.filter(({ treatment }) => treatment.kind === 'cluster');
  const own = found.flatMap(({ path, treatment }): Problem[] => {
    if (treatment.kind === 'warned') {
      return [{ severity: 'warning', field: path, message: treatment.text }];
    }
    return treatment.kind === 'refused'
      ? [{ field: path, message: treatment.text, ...hintFor(path, written) }]
      : [];
  });
  return [...own, ...clusterProblem(cluster, positions)];
}

export function volumeAt(
  path: string,
  volumes: LoadedPod['written']['volumes'] = [],
): Decoded<'Volume'> | undefined {
  const index = /^spec\.volumes\[(\d+)\]/.exec(path)?.[1];
  return index === undefined ? undefined : volumes[Number(index)];
}

/** Names the stand-in for a volume. */
function hintFor(path: string, { volumes }: LoadedPod['written']): { readonly hint?: string } {
  const volume = volumeAt(path, volumes);
  const name = volume?.persistentVolumeClaim?.claimName ?? volume?.name;
  if (name === undefined) return {};
  return { hint: `--volume ${name}=FOLDER mounts a folder of this machine in its place` };
}

/** Names all fields that only a cluster acts on in one problem. */
function clusterProblem(found: readonly Found[], positions: LoadedPod['positions']): Problem[] {
  const [first, ...rest] = found;
  if (first === undefined) return [];
  const others = rest.map(({ path }) => `${path} (line ${positions(path).line})`).join(', ');
  const message = `has no effect without a cluster${others === '' ? '' : `, nor have ${others}`}`;
  return [{ severity: 'warning', field: first.path, message }];
}

const UNKNOWN: Treatment = { kind: 'warned', text: 'kprobe does not know this field' };

function walkStruct(struct: string, value: object, path: string): Found[] {
  const fields = fieldsOf(struct);
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const type = fields.get(name)?.type;
    if (type === undefined || isNeutral(`${struct}.${name}`, member)) return [];
    const at = `${path}.${name}`;
    const treatment = treatmentOf(struct, name) ?? UNKNOWN;
    return treatment.kind === 'honored' ? walk(type, member, at) : [{ path: at, treatment }];
  });
}

function walk(type: GoType, value: unknown, path: string): Found[] {
  switch (type.kind) {
    case 'pointer':
      return walk(type.element, value, path);
    case 'list': {
      const items: readonly unknown[] = Array.isArray(value) ? value : [];
      return items.flatMap((item, index) => walk(type.element, item, `${path}[${index}]`));
    }
    case 'struct':
      return isObject(value) ? walkStruct(type.struct, value, path) : [];
    case 'map':
    case 'scalar':
      return [];
  }
}

/** Returns true for an empty value, and for one that every pod of a cluster has. */
function isNeutral(field: string, value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) {
    const items = NEUTRAL[`${field}[]`] ?? [];
    return value.every((item) => items.some((neutral) => isDeepStrictEqual(item, neutral)));
  }
  if (isObject(value) && Object.keys(value).length === 0) return true;
  return (NEUTRAL[field] ?? []).includes(value);
}
