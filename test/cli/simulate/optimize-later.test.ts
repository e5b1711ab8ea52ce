import { spawnSync } from 'node:child_process';

import { expect, it } from 'vitest';

import { isShort, optimizeLaterFlag } from '../../../src/cli/simulate/optimize-later.js';
import type { Scenario } from '../../../src/sim/scenario.js';
import { buildPod } from '../../helpers/builders.js';

const HOUR = 3_600_000;

const scenario = (until: number): Scenario => ({
  name: 'web',
  until,
  kubeletUp: 0,
  pod: buildPod(),
  containers: {},
  actions: [],
});

it.each([
  ['an hour', [HOUR], true],
  ['two pods for an hour each', [HOUR, HOUR], true],
  ['two hours and a millisecond', [2 * HOUR + 1], false],
  ['a hundred pods for an hour each', Array.from({ length: 100 }, () => HOUR), false],
])('%s is short: %j', (_, times, short) => {
  expect(isShort(times.map(scenario))).toBe(short);
});

it.each([
  ['20.19.0', true],
  ['24.1.0', true],
  ['26.0.0', false],
])('Node %s is known to have the flag: %j', (version, known) => {
  expect(optimizeLaterFlag(version) !== undefined).toBe(known);
});

it('this Node takes the flag without a word', () => {
  const flag = optimizeLaterFlag(process.versions.node);
  const code = `process.getBuiltinModule('node:v8').setFlagsFromString('${flag ?? ''}')`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', flag === undefined ? '' : code], {
    encoding: 'utf8',
  });
  expect([stdout, stderr]).toEqual(['', '']);
});
