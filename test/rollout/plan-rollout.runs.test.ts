import { expect, it } from 'vitest';

import { manyRolloutsLines } from '../../src/report/runs-text.js';
import { rolloutRun, summarizeRollouts } from '../../src/rollout/plan-rollout.js';
import { PROPAGATION } from '../../src/rollout/traffic/proxy.js';
import { EMPTY_BEHAVIOR } from '../../src/sim/pod-scenario.js';
import { lineText } from '../../src/text/line.js';
import { deploymentYaml } from '../helpers/deployment-yaml.js';

const text = deploymentYaml(
  2,
  'readinessProbe: {httpGet: {path: /ready, port: 8080}, periodSeconds: 2}',
);
const request = {
  sources: [{ file: 'web.yaml', text }],
  load: {},
  behavior: { ...EMPTY_BEHAVIOR, readyAfter: [{ value: { from: 3000, to: 9000 } }] },
  nodes: 3,
  isUnchanged: false,
  drains: [],
  until: 600_000,
  endsEarly: true,
  traffic: {
    rate: 50,
    serviceTime: { from: 50, to: 50 },
    keepAlive: false,
    onTerm: 'close',
    propagation: PROPAGATION,
  },
} as const;

it('gives each run the figures of its number, in any order', async () => {
  const numbers = [0, 1, 2, 3, 4, 5];
  const simulated = (run: number) => rolloutRun({ request, seed: 3, run });
  const all = await Promise.all(numbers.map(simulated));
  const reversed = await Promise.all(numbers.toReversed().map(simulated));
  expect(reversed.toReversed()).toEqual(all);
  expect(new Set(all.map(({ doneAt }) => doneAt)).size).toBeGreaterThan(1);
  expect(all.every(({ leastReady }) => leastReady === 2)).toBe(true);
});

it('summarizes times, losses and returns', () => {
  const run = { doneAt: 41, leastReady: 2, failed: 0, backAt: 0 };
  const found = summarizeRollouts([
    run,
    { ...run, doneAt: 66, failed: 12, backAt: 190 },
    { ...run, doneAt: 47, leastReady: 1 },
    { ...run, doneAt: null, backAt: null },
  ]);
  expect(found).toMatchObject({ runs: 4, losing: 0.25, rolledOut: { count: 3, p50: 47 } });
  const about = { name: 'Deployment web', rollsOut: true, hasTraffic: true, hasOutage: true };
  expect(manyRolloutsLines(found, about).map(lineText)).toEqual([
    'Deployment web, 4 runs',
    '  rolled out in 75 % of the runs: in 41 – 66 s (p50 47)',
    '  at least 1 – 2 replicas ready',
    '  all replicas back in 75 % of the runs: in 0 – 190 s (p50 0)',
    '  25 % of the runs lose requests: 12 (p50 12)',
  ]);
});
