import { expect, it } from 'vitest';

import { wholeWindow } from '../../src/report/lanes.js';

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
