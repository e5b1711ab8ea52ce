import { seeded } from '../clock/clock.js';
import type { Distribution } from '../sim/many-runs.js';
import { type OutageResult, outageResult } from './outage/outage-result.js';
import {
  type RolloutObserver,
  type RolloutOutcome,
  type RolloutPlan,
  simulateRollout,
} from './rollout.js';
import { FactRecorder } from './traffic/fact-recorder.js';
import { simulateTraffic, type TrafficResult } from './traffic/traffic.js';

/** A simulated rollout with the results of its requests and outages. */
export interface MeasuredRollout {
  readonly outcome: RolloutOutcome;
  /** Absent without requests. */
  readonly traffic?: TrafficResult;
  readonly outages: readonly OutageResult[];
}

/** Figures of many simulated rollouts. */
export interface RolloutRuns {
  readonly runs: number;
  /** Seconds, of the runs that were rolled out. */
  readonly rolledOut: Distribution | null;
  readonly leastReady: Distribution | null;
  /** Share of the runs that lost requests, from 0 to 1, and the numbers of those runs. */
  readonly losing: number;
  readonly failed: Distribution | null;
  /** Seconds, of the runs in which all replicas were back. */
  readonly backAt: Distribution | null;
}

/** Simulates a rollout, then the requests to its pods. */
export async function measureRollout(
  plan: RolloutPlan,
  ...observers: readonly RolloutObserver[]
): Promise<MeasuredRollout> {
  const recorder = new FactRecorder();
  const outcome = await simulateRollout(plan, recorder, ...observers);
  const { traffic: load, surroundings, seed = 1, nodes } = plan;
  const facts = recorder.facts();
  const outages = (surroundings?.outages ?? []).map((outage) => outageResult(outage, facts));
  if (load === undefined) return { outcome, outages };
  const to = outcome.length * 1000;
  const traffic = simulateTraffic(facts, {
    ...load,
    from: 0,
    to,
    nodes,
    random: seeded(seed),
    surroundings,
  });
  return { outcome, outages, traffic };
}
