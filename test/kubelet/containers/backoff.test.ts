import { describe, expect, it } from 'vitest';

import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { Backoff } from '../../../src/kubelet/containers/backoff.js';

/** A back-off from 1 s to 50 s on a clock that begins at 0. */
function createRig() {
  const clock = new VirtualClock(1, 0);
  return { clock, backoff: new Backoff(clock, 1_000, 50_000) };
}

it('doubles to its maximum, and stays there', async () => {
  const { clock, backoff } = createRig();
  expect(backoff.get('a')).toBe(0);
  const delays: number[] = [];
  for (let i = 0; i < 8; i++) {
    backoff.next('a', clock.now());
    delays.push(backoff.get('a'));
    await clock.advance(5);
  }
  expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 50_000, 50_000]);
});

it('keeps the delays of keys apart', () => {
  const { backoff } = createRig();
  backoff.next('a', 0);
  backoff.next('a', 0);
  backoff.next('b', 0);
  expect([backoff.get('a'), backoff.get('b')]).toEqual([2_000, 1_000]);
});

it.each<[number, number]>([
  [100_000, 2_000],
  [100_001, 1_000],
])(
  'an event %d ms after the last update, twice the maximum or more, makes it %d',
  (at, expected) => {
    const { backoff } = createRig();
    backoff.next('a', 0);
    backoff.next('a', at);
    expect(backoff.get('a')).toBe(expected);
  },
);

describe('the time since an event', () => {
  it.each<[number, boolean]>([
    [999, true],
    [1_000, false],
    [60_000, false],
  ])('of %d ms is within the delay: %s', async (passed, expected) => {
    const { clock, backoff } = createRig();
    backoff.next('a', 0);
    await clock.advance(passed);
    expect(backoff.isInBackOffSince('a', 0)).toBe(expected);
  });

  it('is not within a delay that was never set', () => {
    expect(createRig().backoff.isInBackOffSince('a', 0)).toBe(false);
  });

  it('is not within a delay that has expired before the event', async () => {
    const { clock, backoff } = createRig();
    backoff.next('a', 0);
    await clock.advance(100_001);
    expect(backoff.isInBackOffSince('a', clock.now())).toBe(false);
    expect(backoff.isInBackOffSince('a', clock.now() - 1)).toBe(true);
  });
});

describe('the time from the last update to an event', () => {
  it.each<[number, boolean]>([
    [0, true],
    [999, true],
    [1_000, false],
    [100_001, false],
  ])('of %d ms is within the delay: %s', (event, expected) => {
    const { backoff } = createRig();
    backoff.next('a', 0);
    expect(backoff.isInBackOffSinceUpdate('a', event)).toBe(expected);
  });

  it('counts from the update, not from its event', async () => {
    const { clock, backoff } = createRig();
    await clock.advance(5_000);
    backoff.next('a', 0);
    expect(backoff.isInBackOffSinceUpdate('a', 5_999)).toBe(true);
    expect(backoff.isInBackOffSinceUpdate('a', 6_000)).toBe(false);
  });

  it('is not within a delay that was never set', () => {
    expect(createRig().backoff.isInBackOffSinceUpdate('a', 0)).toBe(false);
  });
});

it('forgets what was not updated for longer than twice the maximum', async () => {
  const { clock, backoff } = createRig();
  backoff.next('old', 0);
  await clock.advance(1);
  backoff.next('new', 1);
  await clock.advance(100_000);
  backoff.gc();
  expect([backoff.get('old'), backoff.get('new')]).toEqual([0, 1_000]);
});
