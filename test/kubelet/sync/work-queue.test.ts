import { describe, expect, it } from 'vitest';

import type { Clock } from '../../../src/clock/clock.js';
import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { WorkQueue } from '../../../src/kubelet/sync/work-queue.js';
import { requeueDelay, retryDelay } from '../../../src/kubelet/sync/work-queue.js';
import { SyncError } from '../../../src/kubelet/sync-result.js';

function createRig() {
  const clock = new VirtualClock(1, 0);
  return { clock, queue: new WorkQueue(clock) };
}

it('getWork returns each pod once after its delay', async () => {
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

it('getWork does not return a pod at the exact time at which it is due', async () => {
  const { clock, queue } = createRig();
  queue.enqueue('a', 0);
  expect([...queue.getWork()]).toEqual([]);
  await clock.advance(0.001);
  expect([...queue.getWork()]).toEqual(['a']);
});

it('enqueue replaces the previous delay', async () => {
  const { clock, queue } = createRig();
  queue.enqueue('a', 10);
  queue.enqueue('a', 100);
  await clock.advance(50);
  expect([...queue.getWork()]).toEqual([]);
  queue.enqueue('a', 10);
  await clock.advance(20);
  expect([...queue.getWork()]).toEqual(['a']);
});

const NOW = 1_000_000;
const clock = (random: number): Clock => ({
  now: () => NOW,
  random: () => random,
  setTimeout: () => ({ cancel: () => undefined }),
  go: () => undefined,
});

describe('requeueDelay', () => {
  const error = (until?: number): SyncError => new SyncError('no', until);
  it.each<[string, SyncError | undefined, number, number]>([
    ['is 60 to 90 s after a successful sync', undefined, 60_000, 90_000],
    ['is 10 to 15 s after an error', error(), 10_000, 15_000],
    ['is the rest of a back-off plus up to half', error(NOW + 20_000), 20_000, 30_000],
    ['is 60 to 90 s in a longer back-off', error(NOW + 300_000), 60_000, 90_000],
    ['is 0 after the end of a back-off', error(NOW - 5_000), 0, 0],
  ])('%s', (_, given, least, most) => {
    expect(requeueDelay(clock(0), given)).toBe(least);
    expect(requeueDelay(clock(1), given)).toBe(most);
    expect(requeueDelay(clock(0.5), given)).toBe((least + most) / 2);
  });
});

it('backOffDelay is 10 to 15 s', () => {
  expect([retryDelay(clock(0)), retryDelay(clock(1))]).toEqual([10_000, 15_000]);
});
