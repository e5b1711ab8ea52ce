import { expect, test } from 'vitest';

import { FieldPath } from '../../../src/api/validation/common/field-error.js';
import { warnAboutIP } from '../../../src/api/warnings/warning.js';

function ipWarnings(ip: string, field: string) {
  const at = new FieldPath(field);
  warnAboutIP(ip, at);
  return at.warnings;
}

test.each([
  ['FE80::1', 'fe80::1'],
  ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
  ['1::2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
  ['1:0:0:2:3:0:0:4', '1::2:3:0:0:4'],
  ['0::0', '::'],
  ['64:ff9b::1.2.3.4', '64:ff9b::102:304'],
])('%s causes a warning that it should be %s', (ip, canonical) => {
  const message = `IPv6 address "${ip}" should be in RFC 5952 canonical format ("${canonical}")`;
  expect(ipWarnings(ip, 'ip')).toEqual([{ field: 'ip', message }]);
});

test.each(['10.0.0.1', 'fe80::1', '1:0:2:3:4:5:6:7', '::'])('%s causes no warning', (ip) => {
  expect(ipWarnings(ip, 'ip')).toEqual([]);
});
