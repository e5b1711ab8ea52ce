import { describe, expect, it } from 'vitest';

import { planRollout, type RolloutRequest } from '../../src/rollout/plan-rollout.js';
import { simulateRollout } from '../../src/rollout/rollout.js';
import { blockersOf } from '../../src/rollout/workload.js';
import { NO_FAULTS } from '../../src/sim/faults.js';
import { EMPTY_BEHAVIOR, type PodBehaviorSpec } from '../../src/sim/pod-scenario.js';
import { deploymentYaml } from '../helpers/deployment-yaml.js';
import { rolloutRequest } from '../helpers/rollout-request.js';

const DEPLOYMENT = deploymentYaml(
  4,
  'readinessProbe: {httpGet: {path: /ready, port: 8080}, periodSeconds: 5}',
);
const BUDGET = `---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {minAvailable: 3, selector: {matchLabels: {app: web}}}
`;

const sources = (text: string) => [{ file: 'web.yaml', text }];
const seconds = (from: number) => [{ value: { from: from * 1000, to: from * 1000 } }];

const simulated = async (text: string, more: Partial<RolloutRequest> = {}) =>
  simulateRollout(planRollout(rolloutRequest(text, more)).plan!);

describe('a rollout', () => {
  const said = (more: Partial<PodBehaviorSpec>): PodBehaviorSpec => ({
    ...EMPTY_BEHAVIOR,
    ...more,
  });

  it('says when it is done, and the least number of ready replicas', async () => {
    const outcome = await simulated(DEPLOYMENT, { behavior: said({ readyAfter: seconds(20) }) });
    expect(outcome.rollout?.doneAt).toBeGreaterThan(40);
    expect(outcome.rollout?.doneAt).toBeLessThan(60);
    expect(outcome.leastReady.count).toBe(3);
    expect(outcome.pods.every(({ version }) => version === 'new')).toBe(true);
  });

  it('that never gets ready says what blocks it, and when its deadline was', async () => {
    const outcome = await simulated(DEPLOYMENT, {
      behavior: said({ readyAfter: seconds(3600) }),
      until: 900_000,
    });
    expect(outcome.rollout?.doneAt).toBeUndefined();
    expect(outcome.rollout?.deadlineAt).toBe(601);
    expect(blockersOf(outcome)).toEqual([
      {
        pods: 2,
        reason:
          'Readiness probe failed: Get "http://<pod IP>:8080/ready": dial tcp <pod IP>:8080: connect: connection refused',
      },
    ]);
  });

  it('with flapping readiness never reaches its deadline', async () => {
    const text = DEPLOYMENT.replace(
      'replicas: 4',
      'replicas: 4\n  minReadySeconds: 60\n  progressDeadlineSeconds: 90',
    );
    const hangsAt = Array.from({ length: 200 }, (_, index) => ({
      value: { from: index * 40_000, to: index * 40_000 + 20_000 },
    }));
    const outcome = await simulated(text, { behavior: said({ hangsAt }), until: 3_600_000 });
    expect(outcome.rollout?.doneAt).toBeUndefined();
    expect(outcome.rollout?.deadlineAt).toBeUndefined();
    expect(outcome.rollout?.progressCount).toBeGreaterThan(50);
  });

  it('begins with probes of old replicas that are not in step', async () => {
    const { points } = await simulated(DEPLOYMENT, {
      isUnchanged: true,
      endsEarly: false,
      until: 120_000,
      faults: {
        ...NO_FAULTS,
        outages: [{ name: 'db', window: { from: 30_000, to: 60_000 } }],
        dependencies: [{ on: 'db', target: { kind: 'probe', type: 'readiness' } }],
      },
    });
    const times = points.filter(({ old }) => old.notReady > 0 && old.ready > 0).map(({ t }) => t);
    expect(times.length).toBeGreaterThanOrEqual(3);
    expect(times.at(-1)! - times[0]!).toBeGreaterThan(1);
  });

  it('goes to the manifest of --to', async () => {
    const to = sources(DEPLOYMENT.replace('web:1', 'web:2').replace('replicas: 4', 'replicas: 6'));
    const outcome = await simulated(DEPLOYMENT, { to });
    expect(outcome.counts).toEqual({ wanted: 6, updated: 6, available: 6 });
    expect(outcome.pods[0]?.pod.spec.containers[0]?.image).toBe('web:2');
  });

  it('gives the same result twice, and another one with another seed', async () => {
    const done = async (seed?: number) =>
      (
        await simulated(DEPLOYMENT, {
          seed,
          behavior: said({ readyAfter: [{ value: { from: 5000, to: 50_000 } }] }),
        })
      ).rollout?.doneAt;
    const [first, again, other] = [await done(1), await done(1), await done(2)];
    expect(first).toBe(again);
    expect(first).not.toBe(other);
  });
});

describe('a drain', () => {
  const drains = [{ node: 'node-1', at: 30_000 }];

  it('evicts pods as far as the budget allows', async () => {
    const more = { isUnchanged: true, endsEarly: false, drains, until: 120_000 };
    const outcome = await simulated(DEPLOYMENT + BUDGET, more);
    expect(outcome.drains).toMatchObject([{ node: 'node-1', t: 30, refused: 1 }]);
    expect(outcome.drains[0]?.emptyAt).toBeLessThan(45);
    expect(outcome.leastReady).toEqual({ count: 3, t: 30 });
    expect(outcome.pods.map(({ pod }) => pod.spec.nodeName)).not.toContain('node-1');
  });

  it('never ends where the budget needs every replica', async () => {
    const more = { isUnchanged: true, endsEarly: false, drains, until: 120_000 };
    const outcome = await simulated(DEPLOYMENT + BUDGET.replace('3', '100%'), more);
    expect(outcome.drains[0]?.emptyAt).toBeUndefined();
    expect(outcome.drains[0]?.error).toBe(
      'The disruption budget web needs 4 healthy pods and has 4 currently',
    );
  });
});

describe('planRollout', () => {
  const HPA = `---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\n`;

  it.each([
    [BUDGET.replace('minAvailable: 3', 'minAvailable: lots'), '18 spec.minAvailable'],
    [BUDGET.replace('selector: {matchLabels: {app: web}}', 'x: 1'), '18 spec.selector'],
    [
      '---\nkind: Service\napiVersion: v1\nmetadata: {name: web}\nspec: {selector: 1}',
      '18 spec.selector',
    ],
    [`---\n${DEPLOYMENT.replace('name: web}', 'name: api}')}`, '15 metadata.name'],
  ])('reports what it cannot roll out with its line: %#', (more, place) => {
    const { plan, diagnostics } = planRollout(rolloutRequest(DEPLOYMENT + more));
    expect(plan).toBeUndefined();
    expect(diagnostics.map(({ line, field }) => `${line} ${field}`)).toEqual([place]);
  });

  it('names what is not simulated, and what is assumed', () => {
    const text = DEPLOYMENT.replace(
      '      containers:',
      '      affinity: {}\n      readinessGates: [{conditionType: example.com/lb}]\n      containers:',
    );
    expect(planRollout(rolloutRequest(text + HPA)).assumptions).toEqual([
      { subject: 'HorizontalPodAutoscaler web', assumed: 'the number of replicas stays 4' },
      { subject: 'affinity', assumed: 'a pod goes to the node with the fewest pods' },
      { subject: 'readinessGates', assumed: 'their conditions are true' },
    ]);
  });

  it('rejects another workload in --to', () => {
    const to = sources(DEPLOYMENT.replace('name: web}', 'name: api}'));
    expect(() => planRollout(rolloutRequest(DEPLOYMENT, { to }))).toThrow(
      '--to has another workload: Deployment default/api, not Deployment default/web',
    );
  });
});
