import { describe, expect, it } from 'vitest';

import type { Clock } from '../../../src/clock/clock.js';
import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { WorkQueue } from '../../../src/kubelet/sync/work-queue.js';
import { backOffDelay, requeueDelay } from '../../../src/kubelet/sync/work-queue.js';
import { SyncError } from '../../../src/kubelet/sync-result.js';

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

const NOW = 1_000_000;
const clock = (random: number): Clock => ({
  now: () => NOW,
  random: () => random,
  setTimeout: () => ({ cancel: () => undefined }),
  go: () => undefined,
});

describe('the time until a pod is synced again', () => {
  const error = (until?: number): SyncError => new SyncError('no', until);
  it.each<[string, SyncError | undefined, number, number]>([
    ['after a good sync is 60 to 90 s', undefined, 60_000, 90_000],
    ['after an error is 10 to 15 s', error(), 10_000, 15_000],
    [
      'in a back-off is what is left of it, and up to half more',
      error(NOW + 20_000),
      20_000,
      30_000,
    ],
    ['in a long back-off is as after a good sync', error(NOW + 300_000), 60_000, 90_000],
    ['after a back-off is none', error(NOW - 5_000), 0, 0],
  ])('%s', (_, given, least, most) => {
    expect(requeueDelay(clock(0), given)).toBe(least);
    expect(requeueDelay(clock(1), given)).toBe(most);
    expect(requeueDelay(clock(0.5), given)).toBe((least + most) / 2);
  });
});

it('a pod that has to wait is looked at after 10 to 15 s', () => {
  expect([backOffDelay(clock(0)), backOffDelay(clock(1))]).toEqual([10_000, 15_000]);
});
