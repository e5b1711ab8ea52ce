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

it('readinessLane draws when a pod was Ready, and nothing before its first status and after now', async () => {
  const [pod] = (await summaryAt(12, 'flap')).pods;
  const readiness = [
    { t: 2, ready: false },
    { t: 4, ready: true },
    { t: 8, ready: false },
  ];
  const lane = readinessLane({ ...pod!, readiness }, 9.9, { cell: 1, first: 0, width: 12 });
  expect(lane.map(({ text }) => text).join('')).toBe('  ▄▄████▄▄  ');
});
