import { expect, it } from 'vitest';

import { compareLines } from '../../../src/commands/rollout/outcome-text.js';
import type { MeasuredRollout } from '../../../src/rollout/measure.js';
import { lineText } from '../../../src/text/line.js';

const measured = (doneAt: number, count: number, failed: number): MeasuredRollout =>
  ({
    outcome: { rollout: { doneAt }, leastReady: { count, t: 0 }, points: [] },
    traffic: { failed },
    outages: [],
  }) as unknown as MeasuredRollout;

it('says what is better in the second rollout, and what it costs', () => {
  const lines = compareLines(
    { name: 'a.yaml', measured: measured(24, 8, 194) },
    { name: 'b.yaml', measured: measured(31, 8, 0) },
  );
  expect(lines.map(lineText)).toEqual([
    '                            a.yaml      b.yaml',
    'rolled out in               24.0 s      31.0 s',
    'least ready replicas        8           8',
    'failed requests             194         0',
    'better in b.yaml: failed requests',
    'it costs: rolled out in',
  ]);
});
