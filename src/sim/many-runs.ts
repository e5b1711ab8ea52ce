import { seeded } from '../clock/random.js';
import { FiguresOfRun, type RunFigures } from './run-figures.js';
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
