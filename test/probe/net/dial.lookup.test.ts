import { expect, it } from 'vitest';

import { lookupHost } from '../../../src/probe/net/dial.js';

it('lookupHost resolves a local name', async () => {
  expect(await lookupHost('localhost')).toContain('127.0.0.1');
});

it.each(['a b', '-a.example', 'a..b', `${'a'.repeat(64)}.example`, '123.456'])(
  'lookupHost rejects %j, which is not a domain name, without a lookup',
  async (name) => {
    await expect(lookupHost(name)).rejects.toThrow(`dial tcp: lookup ${name}: no such host`);
  },
);

it('lookupHost does not resolve a hexadecimal address', async () => {
  await expect(lookupHost('0x7f.1')).rejects.toThrow(/^dial tcp: lookup 0x7f\.1.*: no such host$/);
});
