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
 * Says how long the rollout still takes if each new pod takes as long as those that are ready, and as many start at a
 * time as now. Undefined before the first is ready, and while one takes longer.
 */
export function forecastText(
  newPods: readonly PodSummary[],
  { desired, minReadySeconds, t }: Expected,
): string | undefined {
  const times = newPods
    .flatMap(({ firstReadyAt, addedAt }) => (firstReadyAt ?? NaN) - addedAt)
    .filter((time) => !Number.isNaN(time))
    .sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)];
  if (median === undefined) return undefined;
  const each = median + minReadySeconds;
  const waiting = newPods.filter(
    (pod) => !isPodReady(pod) || (pod.firstReadyAt ?? t) + minReadySeconds > t,
  );
  const atOnce = Math.max(1, waiting.length);
  const rounds = Math.ceil((desired - newPods.length) / atOnce);
  const begun =
    waiting.length === 0 ? 0 : each - t + Math.max(...waiting.map((pod) => pod.addedAt));
  const left = begun + Math.max(0, rounds) * each;
  const isLate = waiting.length > 0 && begun <= 0;
  if (isLate || left <= 0) return undefined;
  return `about ${age(left)} left if each new pod takes ${age(each)}`;
}
