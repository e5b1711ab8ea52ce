import { age } from '../../text/duration.js';
import { isPodReady } from '../../trace/summary/condition-view.js';
import type { PodSummary } from '../../trace/summary/summary.js';

interface Expected {
  /** Replicas that the workload has when it is rolled out. */
  readonly desired: number;
  readonly minReadySeconds: number;
  /** Seconds of the summary. */
  readonly t: number;
}

/**
 * Estimates the rest of a rollout: each new pod takes as long as the earlier ones, and as many start at a time as now.
 * Undefined before the first is ready, and while one takes longer. A StatefulSet waits for old pods to end.
 */
export function forecastText(
  newPods: readonly PodSummary[],
  { desired, minReadySeconds, t }: Expected,
): string | undefined {
  const made = newPods.toSorted((a, b) => a.addedAt - b.addedAt);
  const availableAt = made.map(({ firstReadyAt = NaN }) => firstReadyAt + minReadySeconds);
  const each = median(made.map(({ addedAt }, index) => (availableAt[index] ?? NaN) - addedAt));
  if (each === undefined) return undefined;
  const gaps = made.map(({ addedAt }, index) => addedAt - (availableAt[index - 1] ?? NaN));
  const ending = median(gaps.filter((gap) => gap > 0)) ?? 0;
  const waiting = made.filter((pod, index) => !isPodReady(pod) || (availableAt[index] ?? 0) > t);
  const rounds = Math.ceil((desired - made.length) / Math.max(1, waiting.length));
  const begun =
    waiting.length === 0
      ? Math.max(-ending, ...availableAt.filter((at) => at <= t).map((at) => at - t))
      : each - t + Math.max(...waiting.map((pod) => pod.addedAt));
  const left = begun + Math.max(0, rounds) * (each + ending);
  if ((waiting.length > 0 && begun <= 0) || left <= 0) return undefined;
  const old = ending < 1 ? '' : `, and each old one ${age(ending)} to end`;
  const wait = minReadySeconds === 0 ? '' : ` with its minReadySeconds of ${minReadySeconds} s`;
  return `about ${age(left)} left if each new pod takes ${age(each)}${wait}${old}`;
}

function median(times: readonly number[]): number | undefined {
  const known = times.filter((time) => !Number.isNaN(time)).sort((a, b) => a - b);
  return known[Math.floor(known.length / 2)];
}
