import { expect, it } from 'vitest';

import { lookupHost } from '../../../src/probe/net/lookup.js';

it('a name of this machine has its addresses', async () => {
  expect(await lookupHost('localhost')).toContain('127.0.0.1');
});

it.each(['a b', '-a.example', 'a..b', `${'a'.repeat(64)}.example`, '123.456'])(
  'what is no domain name is not looked up: %j',
  async (name) => {
    await expect(lookupHost(name)).rejects.toThrow(`dial tcp: lookup ${name}: no such host`);
  },
);

it('a name that looks like an address in hexadecimal digits does not exist', async () => {
  await expect(lookupHost('0x7f.1')).rejects.toThrow(/^dial tcp: lookup 0x7f\.1.*: no such host$/);
});
