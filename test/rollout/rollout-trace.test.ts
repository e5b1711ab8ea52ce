import { beforeAll, describe, expect, it } from 'vitest';

import { measureRollout } from '../../src/rollout/measure.js';
import { planRollout } from '../../src/rollout/plan-rollout.js';
import { RolloutTrace } from '../../src/rollout/rollout-trace.js';
import { EMPTY_BEHAVIOR } from '../../src/sim/pod-scenario.js';
import { fold } from '../../src/trace/summary/fold.js';
import { EMPTY_SUMMARY, type Summary } from '../../src/trace/summary/summary.js';
import type { TraceLine } from '../../src/trace/trace-line.js';
import { deploymentYaml } from '../helpers/deployment-yaml.js';

const DEPLOYMENT = deploymentYaml(
  2,
  'env: [{name: PASSWORD, value: swordfish-7}]',
  'readinessProbe: {httpGet: {path: /ready, port: 8080}, periodSeconds: 5}',
);

describe('the trace of a rollout', () => {
  let lines: TraceLine[];
  const at = (seconds: number): Summary =>
    lines.filter(({ t }) => t <= seconds).reduce(fold, EMPTY_SUMMARY);

  beforeAll(async () => {
    const { plan } = planRollout({
      sources: [{ file: 'web.yaml', text: DEPLOYMENT }],
      load: {},
      behavior: {
        ...EMPTY_BEHAVIOR,
        readyAfter: [{ value: { from: 8000, to: 8000 } }],
        stopTakes: [{ value: 5000 }],
      },
      nodes: 3,
      isUnchanged: false,
      drains: [],
      until: 600_000,
      endsEarly: true,
    });
    if (plan === undefined) throw new Error('no plan');
    const trace = new RolloutTrace();
    await measureRollout(plan, trace);
    lines = trace.lines();
  });

  it('has the old replicas ready when the rollout begins', () => {
    const before = at(-0.001).pods;
    expect(before.map(({ conditions }) => conditions['Ready']?.status)).toEqual(['True', 'True']);
    expect(before.every(({ addedAt }) => addedAt < 0)).toBe(true);
  });

  it('adds new replicas, with their attempts', () => {
    const [fresh] = at(5).pods.filter(({ addedAt }) => addedAt >= 0);
    expect(fresh?.containers[0]?.probes[0]).toMatchObject({ type: 'readiness', successes: 0 });
    expect(fresh?.containers[0]?.probes[0]?.failures).toBeGreaterThan(0);
  });

  it('marks pods that terminate, and drops them when they are gone', () => {
    const deleted = lines.find(({ kind }) => kind === 'action');
    if (deleted?.kind !== 'action') throw new Error('no pod was deleted');
    const pods = at(deleted.t + 1).pods.filter(({ deletedAt }) => deletedAt !== undefined);
    expect(pods.map(({ key }) => key)).toContain(deleted.pod);
    expect(at(Infinity).pods.map(({ addedAt }) => addedAt >= 0)).toEqual([true, true]);
  });

  it('has the lines in the order of time', () => {
    expect(lines.map(({ t }) => t)).toEqual(lines.map(({ t }) => t).sort((a, b) => a - b));
  });

  it('has secrets masked', () => {
    expect(JSON.stringify(lines)).not.toContain('swordfish-7');
  });
});
