import { describe, expect, it } from 'vitest';

import { runBatch } from '../../src/sim/many-runs.js';
import { EMPTY_BEHAVIOR, type PodBehaviorSpec, podScenario } from '../../src/sim/pod-scenario.js';
import { buildContainer, buildPod, buildProbe } from '../helpers/builders.js';

const scenarioOf = (said: Partial<PodBehaviorSpec>) => {
  const readinessProbe = buildProbe({ periodSeconds: 3 });
  const pod = buildPod({ spec: { containers: [buildContainer({ readinessProbe })] } });
  return podScenario(pod, { ...EMPTY_BEHAVIOR, ...said }, { until: 60_000 }).scenario;
};

const readyAfter = [{ value: { from: 5000, to: 20_000 } }];

describe('many runs', () => {
  it('give the same results however they are batched', async () => {
    const scenario = scenarioOf({ readyAfter });
    const whole = await runBatch({ scenario, seed: 7, from: 0, to: 9 });
    const first = await runBatch({ scenario, seed: 7, from: 0, to: 4 });
    const second = await runBatch({ scenario, seed: 7, from: 4, to: 9 });
    expect([...first, ...second]).toEqual(whole);
    expect(new Set(whole.map((run) => run.readyAfter)).size).toBe(9);
  });

  it('give other results with another seed', async () => {
    const scenario = scenarioOf({ readyAfter });
    const [one, other] = await Promise.all(
      [7, 8].map((seed) => runBatch({ scenario, seed, from: 0, to: 3 })),
    );
    expect(one).not.toEqual(other);
  });

  it('count restarts, back-offs and the time not ready', async () => {
    const scenario = scenarioOf({ diesAfter: [{ value: { from: 10_000, to: 10_000 } }] });
    const [run] = await runBatch({ scenario, seed: 1, from: 0, to: 1 });
    // It exits at about 10, 20 and 40 s: the second restart is delayed, and so is the third.
    expect(run).toMatchObject({ restarts: 2, crashLooped: true, good: false });
    expect(run?.readyAfter).toBeLessThan(2);
    expect(run?.unready).toBeGreaterThan(10);
  });
});
