import { omitUndefined } from '../../api/index.js';
import type { PodSummary } from './summary.js';

/** The key figures of a pod's run. Times are in seconds. */
export interface PodNumbers {
  readonly pod: string;
  /** Seconds from the pod's addition; absent when it never got ready. */
  readonly readyAfter?: number;
  /** Total time that it was ready. */
  readonly readyFor: number;
  readonly restarts: Readonly<Record<string, number>>;
}

export function podNumbers(pod: PodSummary, end: number): PodNumbers {
  const { key, addedAt, firstReadyAt, containers } = pod;
  const restarts = containers
    .filter(({ role }) => role !== 'init')
    .map(({ name, restartCount }) => [name, restartCount] as const);
  return {
    pod: key,
    ...(firstReadyAt !== undefined && { readyAfter: rounded(firstReadyAt - addedAt) }),
    readyFor: readyFor(pod, end),
    restarts: Object.fromEntries(restarts),
  };
}

/**
 * Returns the numbers of a simulation with changed settings. The recorded number replaces one
 * that the simulation with unchanged settings shares, so that inaccuracies do not look like effects.
 */
export function changedNumbers(
  recorded: PodNumbers,
  unchanged: PodNumbers,
  changed: PodNumbers,
): PodNumbers {
  const pick = <T>(of: (numbers: PodNumbers) => T): T =>
    of(unchanged) === of(changed) ? of(recorded) : of(changed);
  const restarts = Object.entries(changed.restarts).map(
    ([name, count]) => [name, pick((numbers) => numbers.restarts[name]) ?? count] as const,
  );
  return {
    pod: changed.pod,
    ...omitUndefined({ readyAfter: pick((numbers) => numbers.readyAfter) }),
    readyFor: pick((numbers) => numbers.readyFor),
    restarts: Object.fromEntries(restarts),
  };
}

function readyFor({ readiness }: PodSummary, end: number): number {
  const spans = readiness.map(({ t, ready }, index) =>
    ready ? (readiness[index + 1]?.t ?? end) - t : 0,
  );
  return rounded(spans.reduce((sum, span) => sum + span, 0));
}

export function rounded(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
