import { expect, it } from 'vitest';

import { loadRollout } from '../../src/rollout/load-rollout.js';

function manifest(replicas: number, around = ''): string {
  const pod = '{metadata: {labels: {a: b}}, spec: {containers: [{name: app, image: a}]}}';
  const spec = `{replicas: ${replicas}, selector: {matchLabels: {a: b}}, template: ${pod}}`;
  return `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: ${spec}\n${around}`;
}

it.each([
  [2_147_483_647, {}],
  [1001, {}],
  [1, { replicas: 1001 }],
])('a rollout of %d replicas with %j is refused, with its place', (replicas, options) => {
  const { diagnostics, workload } = loadRollout(
    [{ file: 'web.yaml', text: manifest(replicas) }],
    options,
  );
  expect([workload, diagnostics]).toEqual([
    undefined,
    [expect.objectContaining({ severity: 'error', file: 'web.yaml', field: 'spec.replicas' })],
  ]);
});

it('--replicas makes a rollout of a large Deployment possible', () => {
  const source = { file: 'web.yaml', text: manifest(100_000) };
  const { diagnostics, workload } = loadRollout([source], { replicas: 10 });
  expect([diagnostics, workload?.spec]).toEqual([[], expect.objectContaining({ replicas: 10 })]);
});

it('an object of a kind named like a property of all objects is not simulated, and says nothing', () => {
  const custom = '---\napiVersion: example.com/v1\nkind: constructor\nmetadata: {name: x}\n';
  const { assumptions } = loadRollout([{ file: 'web.yaml', text: manifest(2, custom) }], {});
  expect(assumptions).toEqual(loadRollout([{ file: 'a', text: manifest(2) }], {}).assumptions);
});
