/** The first of `height` rows to show, so that the chosen one is among them and the view moves as little as it can. */
export function windowStart(
  count: number,
  height: number,
  chosen: number,
  before: number | 'end',
): number {
  const last = Math.max(0, count - height);
  const start = before === 'end' ? last : Math.min(before, last);
  if (chosen < 0) return start;
  if (chosen < start) return Math.max(0, chosen);
  return chosen >= start + height ? Math.min(last, chosen - height + 1) : start;
}
