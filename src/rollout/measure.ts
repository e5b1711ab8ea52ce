import { seeded } from '../clock/random.js';
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

/** Simulates a rollout, then the requests to its pods. */
export async function measureRollout(
  plan: RolloutPlan,
  observer: Omit<RolloutObserver, 'onStart'> = {},
): Promise<MeasuredRollout> {
  const recorder = new FactRecorder();
  let begin = 0;
  const outcome = await simulateRollout(plan, {
    ...observer,
    onChange(change, at) {
      recorder.onChange(change, at);
      observer.onChange?.(change, at);
    },
    onEvent(pod, event, at) {
      recorder.onEvent(pod, event, at);
      observer.onEvent?.(pod, event, at);
    },
    onStart: (container, at) => recorder.onStart(container, at),
    onBegin(at) {
      begin = at;
      observer.onBegin?.(at);
    },
  });
  const { traffic: load, surroundings, seed = 1, nodes } = plan;
  const facts = recorder.since(begin);
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
