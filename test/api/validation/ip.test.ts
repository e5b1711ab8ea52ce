import { expect, test } from 'vitest';

import { ipWarnings, validateIP } from '../../../src/api/validation/ip.js';

test.each(['127.0.0.1', '0.0.0.0', '::', '::1', '2001:db8::ffff', '::1.2.3.4', '1:2:3:4:5:6:7:8'])(
  '%s is an address',
  (ip) => {
    expect(validateIP(ip, 'ip')).toEqual([]);
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
])('%j is none', (ip) => {
  const detail = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
  expect(validateIP(ip, 'ip')).toMatchObject([{ detail }]);
});

test.each(['010.0.0.1', '10.0.0.01', '::ffff:01.2.3.4', '00001::'])(
  '%s is refused for its leading zeros',
  (ip) => {
    expect(validateIP(ip, 'ip')).toMatchObject([{ detail: 'must not have leading 0s' }]);
  },
);

test.each(['::ffff:1.2.3.4', '::FFFF:0102:0304', '0:0:0:0:0:ffff:1.2.3.4'])(
  '%s is refused for being an IPv4 address',
  (ip) => {
    const detail = 'must not be an IPv4-mapped IPv6 address';
    expect(validateIP(ip, 'ip')).toMatchObject([{ detail }]);
  },
);

test.each([
  ['FE80::1', 'fe80::1'],
  ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
  ['1::2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
  ['1:0:0:2:3:0:0:4', '1::2:3:0:0:4'],
  ['0::0', '::'],
  ['64:ff9b::1.2.3.4', '64:ff9b::102:304'],
])('of %s the server says that it should be %s', (ip, canonical) => {
  const message = `IPv6 address "${ip}" should be in RFC 5952 canonical format ("${canonical}")`;
  expect(ipWarnings(ip, 'ip')).toEqual([{ field: 'ip', message }]);
});

test.each(['10.0.0.1', 'fe80::1', '1:0:2:3:4:5:6:7', '::'])('of %s it says nothing', (ip) => {
  expect(ipWarnings(ip, 'ip')).toEqual([]);
});
