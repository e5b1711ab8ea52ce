/** `1 file`, `2 files` */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `12 objects (Service 4, ConfigMap 8)`, the most frequent kind first. */
export function kindCounts(counts: ReadonlyMap<string, number>): string {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const kinds = [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([kind, count]) => `${kind} ${count}`);
  return `${counted(total, 'object')} (${kinds.join(', ')})`;
}

/** Several counts in one. */
export function sumCounts(
  all: readonly ReadonlyMap<string, number>[],
): ReadonlyMap<string, number> {
  const sum = new Map<string, number>();
  for (const counts of all) {
    for (const [kind, count] of counts) sum.set(kind, (sum.get(kind) ?? 0) + count);
  }
  return sum;
}

/** `skipped: 12 objects of other kinds (Service 4, …)`, or undefined when there were none. */
export function passedOverText(counts: ReadonlyMap<string, number>): string | undefined {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  const kinds = [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([kind, count]) => `${kind} ${count}`);
  const objects = total === 1 ? '1 object of another kind' : `${total} objects of other kinds`;
  return `skipped: ${objects} (${kinds.join(', ')})`;
}
