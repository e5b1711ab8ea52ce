import { expect, test } from 'vitest';

import { durationError } from '../../src/go/duration.js';

test.each(['0', '1s', '1h30m', '-1.5h', '+5ms', '1.s', '.5m', '2540400h10m10s', '1µs', '300us'])(
  '%s is a valid duration',
  (text) => {
    expect(durationError(text)).toBeUndefined();
  },
);

test.each([
  ['', 'time: invalid duration ""'],
  ['-', 'time: invalid duration "-"'],
  ['.s', 'time: invalid duration ".s"'],
  ['1', 'time: missing unit in duration "1"'],
  ['1h30', 'time: missing unit in duration "1h30"'],
  ['1x', 'time: unknown unit "x" in duration "1x"'],
  ['1 s', 'time: unknown unit " s" in duration "1 s"'],
  ['3000000h', 'time: invalid duration "3000000h"'],
])('durationError(%j) is %s', (text, message) => {
  expect(durationError(text)).toBe(message);
});
