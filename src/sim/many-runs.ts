import { seeded } from '../clock/random.js';
import { FiguresOfRun, type Obstacle, type RunFigures } from './run-figures.js';
import type { Scenario } from './scenario.js';
import { simulate } from './simulate.js';

/** Of many runs these are made here; `seed` and a run's number say all that it draws. */
export interface RunBatch {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly from: number;
  readonly to: number;
}

/** Milliseconds in which all that the kubelet does in turns comes round again. */
const TURN = 2000;
const OLD = 24 * 3600 * 1000;

/** Runs a scenario from one number to before another, each with draws of its own. */
export async function runBatch({ scenario, seed, from, to }: RunBatch): Promise<RunFigures[]> {
  const figures: RunFigures[] = [];
  for (let run = from; run < to; run++) {
    const own = seedOf(seed, run);
    const found = new FiguresOfRun();
    await simulate(inSomePhase(scenario, own), (line) => found.line(line), own);
    figures.push(found.end(scenario.until / 1000));
  }
  return figures;
}

/** A pod is added at any moment of the kubelet's turns. */
function inSomePhase(scenario: Scenario, seed: number): Scenario {
  const phase = seeded(seed ^ PHASE)() * TURN;
  return { ...scenario, kubeletUp: TURN + phase, kubeletAge: OLD };
}

/** What the phase is drawn with has nothing to do with what the run draws. */
const PHASE = 0x5bd1e995;

/** Seeds of neighbouring runs have nothing in common. Mixes as MurmurHash3 does at its end. */
function seedOf(seed: number, run: number): number {
  let mixed = Math.imul(seed, 0x9e3779b1) ^ Math.imul(run + 1, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** How an amount came out over the runs. */
export interface Distribution {
  readonly count: number;
  readonly min: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
  readonly mean: number;
  /** Each from its begin to that of the next; the last one holds its end, too. */
  readonly histogram: readonly {
    readonly from: number;
    readonly to: number;
    readonly count: number;
  }[];
}

/** What many runs came to. */
export interface RunsSummary {
  readonly runs: number;
  /** Seconds to the first ready, of the runs that came to it. */
  readonly readyAfter: Distribution | null;
  readonly neverReady: number;
  readonly restarts: Distribution | null;
  /** Seconds that the pod was not ready after it had been, of the runs in which it was. */
  readonly unready: Distribution | null;
  /** Shares of the runs, from 0 to 1. */
  readonly restarted: number;
  readonly crashLooped: number;
  readonly good: number;
  /** What kept the others from that, the commonest first. */
  readonly obstacles: readonly CommonObstacle[];
}

/** What stood in the way of several runs; the message is the commonest of them. */
export interface CommonObstacle extends Obstacle {
  readonly runs: number;
}

const BUCKETS = 12;

/** What many runs came to, all together. */
export function summarizeRuns(figures: readonly RunFigures[]): RunsSummary {
  const share = (is: (run: RunFigures) => boolean): number =>
    figures.filter(is).length / Math.max(1, figures.length);
  const ready = known(figures.map(({ readyAfter }) => readyAfter));
  return {
    runs: figures.length,
    readyAfter: distributionOf(ready),
    neverReady: figures.length - ready.length,
    restarts: distributionOf(figures.map(({ restarts }) => restarts)),
    unready: distributionOf(known(figures.map(({ unready }) => unready))),
    restarted: share(({ restarts }) => restarts > 0),
    crashLooped: share(({ crashLooped }) => crashLooped),
    good: share(({ good }) => good),
    obstacles: commonObstacles(figures.flatMap(({ obstacles }) => obstacles)),
  };
}

function known(values: readonly (number | null)[]): number[] {
  return values.filter((value) => value !== null);
}

function commonObstacles(all: readonly Obstacle[]): readonly CommonObstacle[] {
  const kind = ({ container, probe, state }: Obstacle): string =>
    JSON.stringify([container, probe, state]);
  return grouped(all, kind).map((same) => {
    const [commonest = same] = grouped(same, ({ message }) => message);
    return { ...commonest[0], runs: same.length };
  });
}

/** What has the same key, the most first. */
function grouped<T>(all: readonly T[], keyOf: (one: T) => string): (readonly [T, ...T[]])[] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups.values()].sort((a, b) => b.length - a.length);
}

/** Percentiles are amounts that came up (nearest rank); null when nothing did. */
export function distributionOf(amounts: readonly number[]): Distribution | null {
  const sorted = amounts.toSorted((a, b) => a - b);
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
  // Few whole numbers have a bucket each.
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
