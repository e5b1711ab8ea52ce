import { expect, test } from 'vitest';

import { parseQuantity } from '../../src/api/values/quantity.js';
import { localNode } from '../../src/runtime/host.js';

test('localNode has the allocatable resources of this machine as quantities', () => {
  const { hostIPs, allocatable } = localNode('127.0.0.1');
  expect(hostIPs).toEqual(['127.0.0.1']);
  for (const quantity of [allocatable['cpu'], allocatable['memory']]) {
    expect(parseQuantity(quantity ?? '')).toMatchObject({ kind: 'quantity' });
  }
});
