import { isObject } from '../../src/api/index.js';

export type Tree = Readonly<Record<string, unknown>>;

/** The lists of a pod's spec that are merged by name, as far as patches of probes name any (`patchMergeKey` of v1.PodSpec). */
const BY_NAME = ['containers', 'initContainers'];

/** An object with a strategic merge patch of its containers, as `kubectl patch --local --type strategic` has it. */
export function strategicMerge(object: Tree, patch: Tree): Tree {
  const changed = Object.entries(patch).map(([key, value]): [string, unknown] => {
    const old = object[key];
    if (BY_NAME.includes(key)) return [key, mergeByName(old as Tree[], value as Tree[])];
    return [key, isObject(value) ? strategicMerge(isObject(old) ? old : {}, value) : value];
  });
  return { ...object, ...Object.fromEntries(changed) };
}

/** Items keep their places; those that are new come behind them. */
function mergeByName(olds: readonly Tree[] = [], patches: readonly Tree[]): readonly Tree[] {
  const patchOf = (name: unknown): Tree | undefined => patches.find((one) => one['name'] === name);
  const merged = olds.map((old) => strategicMerge(old, patchOf(old['name']) ?? {}));
  const known = olds.map(({ name }) => name);
  return [...merged, ...patches.filter(({ name }) => !known.includes(name))];
}
