import { isDeepStrictEqual } from 'node:util';

import { isObject, omitUndefined, ownField } from '../../api/index.js';

export interface FieldChange {
  /** Path as the API server writes it: `spec.containers[0].image`; a removed item has its former index. */
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/**
 * Returns the fields in which two plain values differ: named items of a list are paired by name, other objects by index
 * while the lists have one length; other lists are compared as a whole.
 */
export function changedFields(before: unknown, after: unknown, path: string): FieldChange[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return changedItems(before, after, path);
  if (!isObject(before) || !isObject(after)) return [change(path, before, after)];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) =>
    changedFields(ownField(before, key), ownField(after, key), child(path, key)),
  );
}

/** Reports whether no field differs; an absent one is the same as an undefined one. */
export function same(a: unknown, b: unknown): boolean {
  return changedFields(a, b, '').length === 0;
}

function changedItems(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
): FieldChange[] {
  const [olds, news] = [namesOf(before), namesOf(after)];
  if (olds !== undefined && news !== undefined) {
    const order = changedOrder(olds, news);
    if (order !== undefined)
      return [{ path, ...order }, ...byName(before, after, olds, news, path)];
    return byName(before, after, olds, news, path);
  }
  const matched = before.length === after.length && [...before, ...after].every(isObject);
  if (!matched) return [change(path, before, after)];
  return before.flatMap((item, index) => changedFields(item, after[index], `${path}[${index}]`));
}

/** Returns the names of the items when all have different ones. */
function namesOf(items: readonly unknown[]): readonly string[] | undefined {
  const names = items.map((item) => (isObject(item) ? item['name'] : undefined));
  if (!names.every((name) => typeof name === 'string')) return undefined;
  return new Set(names).size === names.length ? names : undefined;
}

/** Returns the names that both lists have, in the order of each, when these orders differ. */
function changedOrder(
  olds: readonly string[],
  news: readonly string[],
): { readonly before: readonly string[]; readonly after: readonly string[] } | undefined {
  const before = olds.filter((name) => news.includes(name));
  const after = news.filter((name) => olds.includes(name));
  return same(before, after) ? undefined : { before, after };
}

function byName(
  before: readonly unknown[],
  after: readonly unknown[],
  olds: readonly string[],
  news: readonly string[],
  path: string,
): FieldChange[] {
  const gone = olds.flatMap((name, index) =>
    news.includes(name) ? [] : [change(`${path}[${index}]`, before[index], undefined)],
  );
  const kept = news.flatMap((name, index) => {
    const at = olds.indexOf(name);
    return changedFields(at === -1 ? undefined : before[at], after[index], `${path}[${index}]`);
  });
  return [...gone, ...kept];
}

function change(path: string, before: unknown, after: unknown): FieldChange {
  return { path, ...omitUndefined({ before, after }) };
}

/** Keys of maps may have dots and slashes. */
function child(path: string, key: string): string {
  if (!/^\w+$/.test(key)) return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}
