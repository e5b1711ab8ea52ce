import type { PodSummary } from './summary.js';

/** A run of a pod in a few numbers. Times are in seconds. */
export interface PodNumbers {
  readonly pod: string;
  /** From its addition; absent when it never was. */
  readonly readyAfter?: number;
  /** How long it was ready in all. */
  readonly readyFor: number;
  /** By container. */
  readonly restarts: Readonly<Record<string, number>>;
}

/** The numbers of a pod in a run that lasted until `end`. */
export function podNumbers(pod: PodSummary, end: number): PodNumbers {
  const { key, addedAt, firstReadyAt, containers } = pod;
  const restarts = containers
    .filter(({ role }) => role !== 'init')
    .map(({ name, restartCount }) => [name, restartCount] as const);
  return {
    pod: key,
    ...(firstReadyAt === undefined ? {} : { readyAfter: round(firstReadyAt - addedAt) }),
    readyFor: readyFor(pod, end),
    restarts: Object.fromEntries(restarts),
  };
}

/** The numbers of a simulation beside those of what it is a simulation of, as far as it changes them at all. */
export function changedNumbers(
  recorded: PodNumbers,
  unchanged: PodNumbers,
  changed: PodNumbers,
): PodNumbers {
  const { readyAfter: _, ...rest } = changed;
  const readyAfter =
    unchanged.readyAfter === changed.readyAfter ? recorded.readyAfter : changed.readyAfter;
  const restarts = Object.entries(changed.restarts).map(([name, count]) => [
    name,
    unchanged.restarts[name] === count ? (recorded.restarts[name] ?? count) : count,
  ]);
  return {
    ...rest,
    ...(readyAfter === undefined ? {} : { readyAfter }),
    readyFor: unchanged.readyFor === changed.readyFor ? recorded.readyFor : changed.readyFor,
    restarts: Object.fromEntries(restarts) as Readonly<Record<string, number>>,
  };
}

function readyFor({ readiness }: PodSummary, end: number): number {
  const spans = readiness.map(({ t, ready }, index) =>
    ready ? (readiness[index + 1]?.t ?? end) - t : 0,
  );
  return round(spans.reduce((sum, span) => sum + span, 0));
}

function round(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
