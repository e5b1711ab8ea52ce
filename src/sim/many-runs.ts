import { seeded } from '../clock/clock.js';
import { type Obstacle, type PodFigures, PodFiguresCollector } from './run-figures.js';
import { KUBELET_AGE, type Scenario } from './scenario.js';
import { simulate } from './simulate.js';

/** One of many runs; `seed` and its number determine its random numbers. */
export interface NumberedRun {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly run: number;
}

/** Milliseconds of the longest period of the kubelet's loops, its housekeeping. */
const PERIOD = 2000;

export async function simulateRun({ scenario, seed, run }: NumberedRun): Promise<PodFigures> {
  const runSeed = seedOf(seed, run);
  const collector = new PodFiguresCollector();
  const started = withRandomPhase(scenario, runSeed);
  await simulate(started, (line) => collector.add(line), runSeed);
  return collector.end(scenario.until / 1000);
}

/** Returns the scenario with its pod added at a random time within the kubelet's period. */
function withRandomPhase(scenario: Scenario, seed: number): Scenario {
  const phase = seeded(seed ^ PHASE_SEED)() * PERIOD;
  return { ...scenario, kubeletUp: PERIOD + phase, kubeletAge: KUBELET_AGE };
}

/** Makes the phase independent of the other random numbers of the run. */
const PHASE_SEED = 0x5bd1e995;

/** Returns an independent seed for each run, mixed as in the last step of MurmurHash3. */
export function seedOf(seed: number, run: number): number {
  let hash = Math.imul(seed, 0x9e3779b1) ^ Math.imul(run + 1, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The distribution of an amount over the runs. */
export interface Distribution {
  readonly count: number;
  readonly min: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
  readonly mean: number;
  /** Buckets; each includes `from` and excludes `to`, but the last includes both. */
  readonly histogram: readonly {
    readonly from: number;
    readonly to: number;
    readonly count: number;
  }[];
}

export interface RunsSummary {
  readonly runs: number;
  /** Seconds until the pod was first ready, of the runs in which it was. */
  readonly readyAfter: Distribution | null;
  readonly neverReady: number;
  readonly restarts: Distribution | null;
  /** Seconds not ready after the first ready, of the runs in which it was. */
  readonly unready: Distribution | null;
  /** Seconds that the pod had been ready at the end, of the runs that end with a ready one. */
  readonly readyFor: Distribution | null;
  /** Shares of the runs, from 0 to 1. */
  readonly restarted: number;
  readonly crashLooped: number;
  readonly good: number;
  /** Obstacles of the other runs, the most frequent first. */
  readonly obstacles: readonly CommonObstacle[];
}

/** An obstacle of several runs, with the most frequent message. */
interface CommonObstacle extends Obstacle {
  readonly runs: number;
}

const BUCKETS = 12;

export function summarizeRuns(figures: readonly PodFigures[]): RunsSummary {
  const share = (test: (run: PodFigures) => boolean): number =>
    figures.filter(test).length / Math.max(1, figures.length);
  const readyAfter = distributionOf(figures.map((run) => run.readyAfter));
  return {
    runs: figures.length,
    readyAfter,
    neverReady: figures.length - (readyAfter?.count ?? 0),
    restarts: distributionOf(figures.map(({ restarts }) => restarts)),
    unready: distributionOf(figures.map(({ unready }) => unready)),
    readyFor: distributionOf(figures.map(({ readyFor }) => readyFor)),
    restarted: share(({ restarts }) => restarts > 0),
    crashLooped: share(({ crashLooped }) => crashLooped),
    good: share(({ good }) => good),
    obstacles: commonObstacles(figures.flatMap(({ obstacles }) => obstacles)),
  };
}

function commonObstacles(all: readonly Obstacle[]): readonly CommonObstacle[] {
  const kind = ({ container, probe, state }: Obstacle): string =>
    JSON.stringify([container, probe, state]);
  return grouped(all, kind).map((same) => {
    const [commonest = same] = grouped(same, ({ message }) => message);
    return { ...commonest[0], runs: same.length };
  });
}

/** Groups by key, the largest group first. */
function grouped<T>(all: readonly T[], keyOf: (item: T) => string): (readonly [T, ...T[]])[] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of all) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()].sort((a, b) => b.length - a.length);
}

/** Returns nearest-rank percentiles of the amounts that are not null; null without any. */
export function distributionOf(amounts: readonly (number | null)[]): Distribution | null {
  const sorted = amounts.filter((amount) => amount !== null).sort((a, b) => a - b);
  const [min] = sorted;
  const max = sorted.at(-1);
  if (min === undefined || max === undefined) return null;
  const at = (percent: number): number =>
    sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? max;
  const mean = sorted.reduce((sum, amount) => sum + amount, 0) / sorted.length;
  return {
    count: sorted.length,
    min,
    p50: at(50),
    p90: at(90),
    p99: at(99),
    max,
    mean,
    histogram: histogramOf(sorted, min, max),
  };
}

function histogramOf(
  amounts: readonly number[],
  min: number,
  max: number,
): Distribution['histogram'] {
  if (min === max) return [{ from: min, to: max, count: amounts.length }];
  // A small range of integers gets a bucket each.
  const whole = amounts.every(Number.isInteger) && max - min < BUCKETS;
  const buckets = whole ? max - min + 1 : BUCKETS;
  const width = whole ? 1 : (max - min) / buckets;
  const counts = Array.from({ length: buckets }, () => 0);
  for (const amount of amounts) {
    const index = Math.min(buckets - 1, Math.floor((amount - min) / width));
    counts[index] = (counts[index] ?? 0) + 1;
  }
  return counts.map((count, index) => ({
    from: min + index * width,
    to: whole ? min + index : min + (index + 1) * width,
    count,
  }));
}
