import { expect, it } from 'vitest';

import { toText } from '../../src/go/byte-string.js';
import { quote } from '../../src/go/quote.js';
import { tables } from './tables.js';

it.each(tables.quote)('quotes the bytes %s as Go does', (hex, quoted) => {
  expect(toText(quote(Buffer.from(hex, 'hex').toString('latin1')))).toBe(quoted);
});
