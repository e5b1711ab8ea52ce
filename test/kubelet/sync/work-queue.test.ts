import { expect, it } from 'vitest';

import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { WorkQueue } from '../../../src/kubelet/sync/work-queue.js';

function createRig() {
  const clock = new VirtualClock(1, 0);
  return { clock, queue: new WorkQueue(clock) };
}

it('gives each pod once, when its delay has passed', async () => {
  const { clock, queue } = createRig();
  queue.enqueue('a', 60_000);
  queue.enqueue('b', 120_000);
  expect([...queue.getWork()]).toEqual([]);
  await clock.advance(60_001);
  expect([...queue.getWork()]).toEqual(['a']);
  await clock.advance(60_000);
  expect([...queue.getWork()]).toEqual(['b']);
  await clock.advance(60_000);
  expect([...queue.getWork()]).toEqual([]);
});

it('gives nothing in the very instant in which it is due', async () => {
  const { clock, queue } = createRig();
  queue.enqueue('a', 0);
  expect([...queue.getWork()]).toEqual([]);
  await clock.advance(0.001);
  expect([...queue.getWork()]).toEqual(['a']);
});

it('keeps the last delay that was given', async () => {
  const { clock, queue } = createRig();
  queue.enqueue('a', 10);
  queue.enqueue('a', 100);
  await clock.advance(50);
  expect([...queue.getWork()]).toEqual([]);
  queue.enqueue('a', 10);
  await clock.advance(20);
  expect([...queue.getWork()]).toEqual(['a']);
});
