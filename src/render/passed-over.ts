/** `passed over: 12 objects of other kinds (Service 4, …)`, or undefined when there were none. */
export function passedOverText(counts: ReadonlyMap<string, number>): string | undefined {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  const kinds = [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([kind, count]) => `${kind} ${count}`);
  const objects = total === 1 ? '1 object of another kind' : `${total} objects of other kinds`;
  return `passed over: ${objects} (${kinds.join(', ')})`;
}
