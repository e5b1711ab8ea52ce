import { expect, it } from 'vitest';

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
