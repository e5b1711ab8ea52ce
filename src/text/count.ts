import { escapeControl } from './escape.js';

/** `1 file`, `2 files`; `plural` is for one that is more than an s, such as `replicas are`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}

/** `once`, `3 times` */
export function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/** `12,000` */
export function thousands(number: number): string {
  return number.toLocaleString('en-US');
}

/** `without a pod: 12 objects (Service 4, ConfigMap 8)`, the most frequent kind first; empty without any. */
export function kindLines(title: string, all: readonly ReadonlyMap<string, number>[]): string[] {
  const sum = new Map<string, number>();
  for (const counts of all) {
    for (const [kind, count] of counts) sum.set(kind, (sum.get(kind) ?? 0) + count);
  }
  return sum.size === 0 ? [] : [`${title}: ${counted(totalOf(sum), 'object')} ${kindList(sum)}`];
}

/** `skipped: 12 objects of other kinds (Service 4, …)`, or undefined when there were none. */
export function passedOverText(counts: ReadonlyMap<string, number>): string | undefined {
  const total = totalOf(counts);
  if (total === 0) return undefined;
  const objects = counted(total, 'object of another kind', 'objects of other kinds');
  return `skipped: ${objects} ${kindList(counts)}`;
}

function totalOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

function kindList(counts: ReadonlyMap<string, number>): string {
  const kinds = [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([kind, count]) => `${escapeControl(kind)} ${count}`);
  return `(${kinds.join(', ')})`;
}
