import { expect, it } from 'vitest';

import { behaviorOf } from '../../src/kubelet/release.js';
import { backOffSpan } from '../../src/schedule/restarts.js';

it.each([
  [10, 16],
  [60, 91],
  [100, 121],
  [300, 331],
  // A damaged trace may have any number.
  [31_535_999, 31_536_030],
])('a back-off of %s s ends after %s s at the latest', (delay, to) => {
  expect(backOffSpan(delay)).toEqual({ from: delay, to });
});

it('before 1.35 a start comes at the next sync after the back-off, whatever its length', () => {
  const spans = [10, 300].map((delay) => backOffSpan(delay, behaviorOf({ version: '1.34' })));
  expect(spans).toEqual([
    { from: 10, to: 26 },
    { from: 300, to: 316 },
  ]);
});
