import { expect, it } from 'vitest';

import { readinessLane, wholeWindow } from '../../src/report/lanes.js';
import { summaryAt } from '../helpers/ui.js';

it.each([
  [60, 60, 1, 60],
  [60, 59, 1.5, 40],
  [600, 90, 7.5, 80],
  [3, 100, 0.25, 12],
  [0.1, 100, 0.25, 1],
  [1e8, 10, 10_000_000, 10],
])(
  'wholeWindow of %d s in %d columns has cells of %d s, %d of them',
  (seconds, columns, cell, width) => {
    expect(wholeWindow(seconds, columns)).toEqual({ cell, first: 0, width });
  },
);

it.each([
  [
    'a pod that was Ready',
    [
      { t: 4, ready: true },
      { t: 8, ready: false },
    ],
    '  ▄▄████▄▄  ',
  ],
  ['a pod that never was Ready', [], '  ▄▄▄▄▄▄▄▄  '],
])('readinessLane draws %s from its begin until now', async (_, readiness, drawn) => {
  const [pod] = (await summaryAt(12, 'flap')).pods;
  const window = { cell: 1, first: 0, width: 12 };
  const lane = readinessLane({ ...pod!, readiness, addedAt: 2 }, 9.9, window);
  expect(lane.map(({ text }) => text).join('')).toBe(drawn);
});
