import type { PodNumbers } from '../../trace/summary/pod-numbers.js';
import { secondsOrDash } from '../text/duration.js';
import { table } from '../text/table.js';

/** Two runs of the same pods in numbers, side by side. */
export function numbersTable(
  before: readonly PodNumbers[],
  after: readonly PodNumbers[],
  heads: readonly [string, string],
): string {
  const rows = before.flatMap((old) => {
    const now = after.find(({ pod }) => pod === old.pod);
    return now === undefined ? [] : numberRows(old, now);
  });
  return table([['', ...heads], ...rows]);
}

function numberRows(old: PodNumbers, now: PodNumbers): string[][] {
  const restarts = Object.keys(now.restarts).map((name) => [
    `${now.pod} restarts of ${name}`,
    String(old.restarts[name] ?? 0),
    String(now.restarts[name] ?? 0),
  ]);
  return [
    [`${now.pod} ready after`, secondsOrDash(old.readyAfter), secondsOrDash(now.readyAfter)],
    [`${now.pod} ready for`, secondsOrDash(old.readyFor), secondsOrDash(now.readyFor)],
    ...restarts,
  ];
}
