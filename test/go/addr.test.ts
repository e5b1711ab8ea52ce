import { expect, it } from 'vitest';

import { parseAddr } from '../../src/go/addr.js';
import { tables } from './tables.js';

it.each(tables.addr)('takes the address %j as netip does', (text, error) => {
  const parsed = parseAddr(text);
  expect(typeof parsed === 'string' ? parsed : null).toBe(error);
});
