import { expect, test } from 'vitest';

import { validateIP } from '../../../src/api/validation/ip.js';

test.each([
  '127.0.0.1',
  '010.0.0.1',
  '::',
  '::1',
  '2001:db8::ffff',
  '::ffff:1.2.3.4',
  '1:2:3:4:5:6:7:8',
])('%s is an address', (ip) => {
  expect(validateIP(ip, 'ip')).toEqual([]);
});

test.each([
  '',
  '1.2.3',
  '256.0.0.1',
  '1:2:3',
  '1::2::3',
  '12345::',
  'localhost',
  '1:2:3:4:5:6:7::8:9',
])('%j is none', (ip) => {
  expect(validateIP(ip, 'ip')).toHaveLength(1);
});
