import { isObject } from '../api/index.js';

/** An object of a pod's spec, whatever settings may have made of it. */
export type Tree = Record<string, unknown>;

/** The container that a setting's path begins with; undefined of one that is about the pod itself. */
export function containerOf(spec: object, [name]: readonly string[]): Tree | undefined {
  return containersOf(spec).find((candidate) => candidate['name'] === name);
}

/** All that settings can be about; one before may have made anything of the lists. */
export function containersOf(spec: object): readonly Tree[] {
  const { containers, initContainers } = spec as Tree;
  return [containers, initContainers].flatMap((list) =>
    Array.isArray(list) ? list.filter(isObject) : [],
  );
}
