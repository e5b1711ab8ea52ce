import { expect, it } from 'vitest';

import { leastEndpoints } from '../../src/rollout/recorder.js';

it.each([
  ['of the whole time', [[0, 3]], { count: 3, seconds: 10 }],
  [
    'to the end',
    [
      [0, 3],
      [4, 1],
    ],
    { count: 1, seconds: 6 },
  ],
  [
    'as the sum of its times',
    [
      [0, 1],
      [2, 3],
      [7, 1],
      [9, 2],
    ],
    { count: 1, seconds: 4 },
  ],
  [
    'without an instant',
    [
      [0, 3],
      [4, 0],
      [4, 2],
    ],
    { count: 2, seconds: 6 },
  ],
] as const)('counts the least number of ready endpoints %s', (_, points, least) => {
  const all = points.map(([t, endpoints]) => ({ t, endpoints }));
  expect(leastEndpoints(all, 10)).toEqual(least);
});
