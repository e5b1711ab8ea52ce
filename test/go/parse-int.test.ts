import { expect, it } from 'vitest';

import { toByteString, toText } from '../../src/go/byte-string.js';
import { atoi64, parseInt64, parseUint } from '../../src/go/parse-int.js';
import { tables } from './tables.js';

it.each(tables.atoi)('atoi64 reads %j as strconv.Atoi does', (text, value, error) => {
  const read = atoi64(toByteString(text));
  if (read.ok) expect(String(read.value)).toBe(value);
  else expect(toText(read.error)).toBe(error);
  expect(read.ok).toBe(error === null);
});

it.each([
  ['2147483647', { ok: true, value: 2147483647 }],
  ['-2147483648', { ok: true, value: -2147483648 }],
  [
    '2147483648',
    { ok: false, error: 'strconv.ParseInt: parsing "2147483648": value out of range' },
  ],
])('parseInt64 reads %s in 32 bits', (text, read) => {
  expect(parseInt64(text, 32)).toEqual(read);
});

it.each([
  ['65535', 65535],
  ['65536', undefined],
  ['+1', undefined],
  ['', undefined],
])('parseUint reads %j in 16 bits', (text, read) => {
  expect(parseUint(text, 16)).toBe(read);
});
