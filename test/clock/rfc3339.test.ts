import { expect, it } from 'vitest';

import { rfc3339 } from '../../src/clock/rfc3339.js';

it.each<[number, string]>([
  [0, '1970-01-01T00:00:00Z'],
  [999, '1970-01-01T00:00:00Z'],
  [1_263_164_400_500.25, '2010-01-10T23:00:00Z'],
])('rfc3339 of %d ms is %s, in whole seconds', (time, text) => {
  expect(rfc3339(time)).toBe(text);
});
