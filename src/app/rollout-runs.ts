import { measureRollout, type RolloutRuns } from '../rollout/measure.js';
import { distributionOf, seedOf } from '../sim/many-runs.js';
import { planRollout, type RolloutRequest } from './rollout.js';

/** A part of many rollouts; `seed` and a run's number determine its random numbers. */
export interface RolloutBatch {
  readonly request: RolloutRequest;
  readonly seed: number;
  readonly from: number;
  readonly to: number;
}

/** Figures of one rollout. */
export interface RolloutRun {
  /** Seconds; null when it was not rolled out. */
  readonly doneAt: number | null;
  readonly leastReady: number;
  readonly requests: number;
  readonly failed: number;
  /** Seconds until the last replica was back after an outage; null when one was not. */
  readonly backAt: number | null;
}

/** Simulates the rollouts with the numbers `from` to `to`, exclusive. */
export async function rolloutBatch(batch: RolloutBatch): Promise<RolloutRun[]> {
  const { plan } = planRollout(batch.request);
  if (plan === undefined) throw new Error('the manifests have errors');
  const runs: RolloutRun[] = [];
  for (let run = batch.from; run < batch.to; run++) {
    const seed = seedOf(batch.seed, run);
    const { outcome, traffic, outages } = await measureRollout({ ...plan, seed });
    const isBack = outages.every(({ stillOut }) => stillOut === 0);
    runs.push({
      doneAt: outcome.rollout?.doneAt ?? null,
      leastReady: outcome.leastReady.count,
      requests: traffic?.requests ?? 0,
      failed: traffic?.failed ?? 0,
      backAt: isBack ? Math.max(0, ...outages.map(({ lastBack = 0 }) => lastBack / 1000)) : null,
    });
  }
  return runs;
}

export function summarizeRollouts(runs: readonly RolloutRun[]): RolloutRuns {
  const losing = runs.filter(({ failed }) => failed > 0);
  return {
    runs: runs.length,
    rolledOut: distributionOf(runs.map(({ doneAt }) => doneAt)),
    leastReady: distributionOf(runs.map(({ leastReady }) => leastReady)),
    losing: losing.length / Math.max(1, runs.length),
    failed: distributionOf(losing.map(({ failed }) => failed)),
    backAt: distributionOf(runs.map(({ backAt }) => backAt)),
  };
}
