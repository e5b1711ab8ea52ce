import { expect, test } from 'vitest';

import { validateIP } from '../../../../src/api/validation/common/checks.js';
import {
  collectErrors,
  type FieldError,
} from '../../../../src/api/validation/common/field-error.js';

function errorsOf(ip: string): FieldError[] {
  return collectErrors('ip', (at) => validateIP(ip, at));
}

test.each(['127.0.0.1', '0.0.0.0', '::', '::1', '2001:db8::ffff', '::1.2.3.4', '1:2:3:4:5:6:7:8'])(
  '%s is a valid IP address',
  (ip) => {
    expect(errorsOf(ip)).toEqual([]);
  },
);

test.each([
  '',
  '1.2.3',
  '256.0.0.1',
  '1:2:3',
  '1::2::3',
  '12345::',
  'fe80::1%eth0',
  'localhost',
  '1:2:3:4:5:6:7::8:9',
])('%j is not an IP address', (ip) => {
  const detail = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
  expect(errorsOf(ip)).toMatchObject([{ detail }]);
});

test.each(['010.0.0.1', '10.0.0.01', '::ffff:01.2.3.4', '00001::'])(
  '%s is rejected for its leading zeros',
  (ip) => {
    expect(errorsOf(ip)).toMatchObject([{ detail: 'must not have leading 0s' }]);
  },
);

test.each(['::ffff:1.2.3.4', '::FFFF:0102:0304', '0:0:0:0:0:ffff:1.2.3.4'])(
  '%s is rejected as IPv4-mapped',
  (ip) => {
    const detail = 'must not be an IPv4-mapped IPv6 address';
    expect(errorsOf(ip)).toMatchObject([{ detail }]);
  },
);
