import { expect, test } from 'vitest';

import { VirtualClock } from '../../src/clock/virtual-clock.js';
import { DelayingQueue } from '../../src/rollout/delaying-queue.js';

test('syncs a key that its own sync adds after the keys that this sync has added', async () => {
  const clock = new VirtualClock(1);
  const synced: string[] = [];
  const queue = new DelayingQueue(clock, (key) => {
    synced.push(key);
    if (synced.length > 1) return;
    queue.add('replica-set');
    queue.add('deployment');
  });
  queue.add('replica-set');
  await clock.advance(1);
  expect(synced).toEqual(['replica-set', 'deployment', 'replica-set']);
});
