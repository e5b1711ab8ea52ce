import { describe, expect, it } from 'vitest';

import { type MeasuredRollout, measureRollout } from '../../src/rollout/measure.js';
import { planRollout, type RolloutRequest } from '../../src/rollout/plan-rollout.js';
import { PROPAGATION } from '../../src/rollout/traffic/proxy.js';
import { NO_FAULTS } from '../../src/sim/faults.js';
import { EMPTY_BEHAVIOR } from '../../src/sim/pod-scenario.js';
import { deploymentYaml } from '../helpers/deployment-yaml.js';
import { rolloutRequest } from '../helpers/rollout-request.js';

const deployment = (...more: readonly string[]): string =>
  deploymentYaml(
    4,
    'ports: [{containerPort: 8080}]',
    'readinessProbe: {httpGet: {path: /ready, port: 8080}, periodSeconds: 5}',
    ...more,
  );
const SLEEP = 'lifecycle: {preStop: {sleep: {seconds: 3}}}';
const LIVENESS =
  'livenessProbe: {httpGet: {path: /live, port: 8080}, periodSeconds: 5, failureThreshold: 2}';

const TRAFFIC = {
  rate: 200,
  serviceTime: { from: 50, to: 50 },
  keepAlive: false,
  onTerm: 'close',
  propagation: PROPAGATION,
} as const;
const SAID = {
  ...EMPTY_BEHAVIOR,
  readyAfter: [{ value: { from: 5000, to: 5000 } }],
  stopTakes: [{ value: 500 }],
};

async function measured(text: string, more: Partial<RolloutRequest>): Promise<MeasuredRollout> {
  const { plan } = planRollout(rolloutRequest(text, { behavior: SAID, ...more }));
  return measureRollout(plan!);
}

describe('a measured rollout', () => {
  it('loses requests between TERM and the removal of endpoints, which its remedy saves', async () => {
    const { outcome, traffic } = await measured(deployment(), { traffic: TRAFFIC });
    expect(outcome.rollout?.doneAt).toBeGreaterThan(5);
    expect(traffic?.losses).toMatchObject([
      { cause: 'refusedAfterTerm', remedy: { kind: 'preStopSleep', seconds: 2 } },
    ]);
    const slept = await measured(deployment(SLEEP), { traffic: TRAFFIC });
    expect(slept.traffic?.requests).toBeGreaterThan(1000);
    expect(slept.traffic?.losses).toEqual([]);
  });

  it('loses requests to pods that are ready before they listen', async () => {
    const text = deployment().replace(/ +readinessProbe.*\n/, '');
    const { traffic } = await measured(text, { traffic: TRAFFIC, until: 30_000, endsEarly: false });
    expect(traffic?.losses.map(({ cause }) => cause)).toContain('refusedBeforeListening');
  });

  it('is out while readiness depends on what is down, and back at once', async () => {
    const { outages, traffic } = await measured(deployment(LIVENESS), {
      traffic: TRAFFIC,
      isUnchanged: true,
      endsEarly: false,
      until: 200_000,
      faults: {
        ...NO_FAULTS,
        outages: [{ name: 'db', window: { from: 60_000, to: 150_000 } }],
        dependencies: [{ on: 'db', target: { kind: 'probe', type: 'readiness' } }],
      },
    });
    expect(outages).toMatchObject([
      { hit: 4, readyBefore: 4, leastReady: 0, stillOut: 0, restarts: 0 },
    ]);
    expect(outages[0]?.lastBack).toBeLessThan(157_000);
    expect(traffic?.losses[0]?.cause).toBe('noEndpoint');
  });

  it('restarts all replicas, with back-offs, where liveness depends on what is down', async () => {
    const { outages } = await measured(deployment(LIVENESS), {
      isUnchanged: true,
      endsEarly: false,
      until: 400_000,
      faults: {
        ...NO_FAULTS,
        outages: [{ name: 'db', window: { from: 60_000, to: 150_000 } }],
        dependencies: [{ on: 'db', target: { kind: 'probe', type: 'liveness' } }],
      },
    });
    expect(outages).toMatchObject([{ hit: 4, stillOut: 0, restartedPods: 4 }]);
    expect(outages[0]?.restarts).toBeGreaterThan(4);
    expect(outages[0]?.longestBackOff).toBeGreaterThanOrEqual(10_000);
  });
});
