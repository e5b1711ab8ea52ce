import { expect, it } from 'vitest';

import { toText } from '../../src/go/byte-string.js';
import { goQuote, quote } from '../../src/go/quote.js';
import { tables } from './tables.js';

it.each(tables.quote)('quote handles the bytes %s as Go does', (hex, quoted) => {
  expect(toText(quote(Buffer.from(hex, 'hex').toString('latin1')))).toBe(quoted);
});

it.each([
  ['plain \u00e9 \u{1f600}', '"plain \u00e9 \u{1f600}"'],
  ['a"b\\c', '"a\\"b\\\\c"'],
  ['\n\t\r\u0007\b\f\v', '"\\n\\t\\r\\a\\b\\f\\v"'],
  ['\u001b\u0000\u007f', '"\\x1b\\x00\\x7f"'],
  ['\u200b\u202e\u00a0', '"\\u200b\\u202e\\u00a0"'],
  ['\u{e0041}', '"\\U000e0041"'],
])('goQuote handles %j as %%q does', (text, quoted) => {
  expect(goQuote(text)).toBe(quoted);
});
