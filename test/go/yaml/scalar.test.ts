import { expect, test } from 'vitest';

import { floatKey } from '../../../src/go/yaml/scalar.js';

test.each([
  [1.5, '1.5'],
  [0.1, '0.1'],
  [-0, '-0'],
  [1000, '1000'],
  [1e6, '1e+06'],
  [1e20, '1e+20'],
  [123456789.5, '1.2345679e+08'],
  [0.0001, '0.0001'],
  [0.00001, '1e-05'],
  [1e300, '.inf'],
  [-Infinity, '-.inf'],
  [Number.NaN, '.nan'],
])('floatKey(%d) is %s', (value, key) => {
  expect(floatKey(value)).toBe(key);
});
