import type { ProcessFacts } from '../kubelet/ports.js';

type Periods = Required<ProcessFacts>['cpu'];

/** The work of a run's processes between two readings of their counts. */
export interface ProcessSample {
  readonly run: number;
  readonly cpu: Periods | undefined;
  readonly busyTime: number | undefined;
  /** In milliseconds. */
  readonly at: number;
  readonly isBusy: boolean;
  /** The share of CPU periods in which a limit stopped the processes. */
  readonly throttled: number | undefined;
}

/** Milliseconds between two samples, at least: the counts are too coarse for two probes that read them at once. */
const MIN_TIME = 500;
/** Milliseconds after which earlier counts no longer show whether the processes are busy now. */
const MAX_TIME = 15_000;
/** The share of the time from which a run is busy. */
const BUSY = 0.5;

/** Compares facts with an earlier sample of the same run. */
export function sampleOf(
  earlier: ProcessSample | undefined,
  { cpu, busyTime, state }: ProcessFacts,
  run: number,
  at: number,
): ProcessSample {
  const before = earlier?.run === run ? earlier : undefined;
  const time = at - (before?.at ?? -Infinity);
  if (before !== undefined && time < MIN_TIME) return before;
  const isKnown = before?.busyTime !== undefined && busyTime !== undefined && time <= MAX_TIME;
  // A process that works for a moment is not busy, and one that waits for a moment may be.
  const isBusy = isKnown ? 1000 * (busyTime - before.busyTime) >= BUSY * time : state === 'busy';
  const throttled = before?.cpu && cpu && throttledShare(before.cpu, cpu);
  return { run, at, cpu, busyTime, isBusy, throttled };
}

function throttledShare(before: Periods, now: Periods): number {
  const periods = Math.max(1, now.periods - before.periods);
  return Math.round((100 * (now.throttled - before.throttled)) / periods) / 100;
}
