import { describe, expect, it } from 'vitest';

import { simulateRun } from '../../src/sim/many-runs.js';
import { EMPTY_BEHAVIOR, type PodBehaviorSpec, podScenario } from '../../src/sim/pod-scenario.js';
import { buildContainer, buildPod, buildProbe } from '../helpers/builders.js';

const scenarioOf = (said: Partial<PodBehaviorSpec>) => {
  const readinessProbe = buildProbe({ periodSeconds: 3 });
  const pod = buildPod({ spec: { containers: [buildContainer({ readinessProbe })] } });
  return podScenario(pod, { ...EMPTY_BEHAVIOR, ...said }, { until: 60_000 }).scenario;
};

const readyAfter = [{ value: { from: 5000, to: 20_000 } }];

describe('many runs', () => {
  it('give the same results in any order', async () => {
    const scenario = scenarioOf({ readyAfter });
    const numbers = Array.from({ length: 9 }, (_, run) => run);
    const simulated = (run: number) => simulateRun({ scenario, seed: 7, run });
    const whole = await Promise.all(numbers.map(simulated));
    const reversed = await Promise.all(numbers.toReversed().map(simulated));
    expect(reversed.toReversed()).toEqual(whole);
    expect(new Set(whole.map((run) => run.readyAfter)).size).toBe(9);
  });

  it('give other results with another seed', async () => {
    const scenario = scenarioOf({ readyAfter });
    const [one, other] = await Promise.all(
      [7, 8].map((seed) => simulateRun({ scenario, seed, run: 0 })),
    );
    expect(one).not.toEqual(other);
  });

  it('count restarts, back-offs and the time not ready', async () => {
    const scenario = scenarioOf({ diesAfter: [{ value: { from: 10_000, to: 10_000 } }] });
    const run = await simulateRun({ scenario, seed: 1, run: 0 });
    // It exits at about 10, 20 and 40 s: the second restart is delayed, and so is the third.
    expect(run).toMatchObject({ restarts: 2, crashLooped: true, good: false });
    expect(run.readyAfter).toBeLessThan(2);
    expect(run.unready).toBeGreaterThan(10);
  });
});
