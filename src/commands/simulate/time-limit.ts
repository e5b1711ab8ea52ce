import { availableParallelism } from 'node:os';

import type { Scenario } from '../../sim/scenario.js';
import { simulate } from '../../sim/simulate.js';
import { countdown } from '../../text/duration.js';
import { UsageError } from '../../usage-error.js';
import type { SimulateFlags } from './simulate-options.js';

/** Milliseconds of work before the speed is measured, and until it is: code is slower at first. */
const WARM_UP = 300;
const SAMPLE = 900;
/** Share of the time limit for the simulation; the rest is for reading and printing. */
const SAFE = 0.8;

/** Throws a UsageError, with a length that fits, for simulations that cannot end within a time in milliseconds. */
export async function refuseLong(
  scenarios: readonly Scenario[],
  { runs = 1, seed }: SimulateFlags,
  limit: number,
): Promise<void> {
  const length = scenarios.reduce((sum, { until }) => sum + until, 0) / 1000;
  const speed = await speedOf(scenarios, runs, seed);
  const threads = runs === 1 ? 1 : Math.min(availableParallelism(), runs);
  const taken = (length * runs) / (speed * threads);
  if (taken * 1000 <= limit) return;
  const share = (SAFE * limit) / (taken * 1000);
  const fewer = Math.floor(runs * share);
  const maxLength = Math.max(...scenarios.map(({ until }) => until)) / 1000;
  const minRuns = Math.min(runs, 2);
  const shorter = `--for=${wholeUnits((maxLength * share * runs) / minRuns)}`;
  const few = runs === 1 ? shorter : `--runs=${minRuns} with ${shorter}`;
  const bound = fewer >= 2 ? `--runs=${fewer}` : few;
  throw new UsageError(
    `this would take about ${countdown(taken)}, and an answer may take ${limit / 1000} s: ${bound} fits`,
  );
}

/** Simulates for a moment; returns the simulated seconds per second. */
async function speedOf(
  scenarios: readonly Scenario[],
  runs: number,
  seed: number | undefined,
): Promise<number> {
  const begin = performance.now();
  const spent = (): number => performance.now() - begin;
  let [done, before, warm, warmAt] = [0, 0, 0, 0];
  const onSimulated = (seconds: number): boolean => {
    done = before + seconds;
    if (spent() < WARM_UP) [warm, warmAt] = [done, spent()];
    return spent() > SAMPLE;
  };
  for (let run = 0; run < runs && spent() < SAMPLE; run++) {
    for (const scenario of scenarios) {
      await simulate(scenario, () => undefined, seed, onSimulated);
      if (spent() > SAMPLE) break;
      before += scenario.until / 1000;
      done = before;
    }
  }
  return (done - warm) / ((spent() - warmAt) / 1000);
}

/** A whole number of the largest unit that it has: `3h`, `12m`. */
function wholeUnits(seconds: number): string {
  if (seconds >= 7200) return `${Math.floor(seconds / 3600)}h`;
  return seconds >= 120 ? `${Math.floor(seconds / 60)}m` : `${Math.max(1, Math.floor(seconds))}s`;
}
