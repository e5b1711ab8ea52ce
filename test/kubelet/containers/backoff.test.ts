import { describe, expect, it } from 'vitest';

import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { Backoff } from '../../../src/kubelet/containers/backoff.js';

/** A back-off from 1 s to 50 s on a clock that begins at 0. */
function createRig() {
  const clock = new VirtualClock(1, 0);
  return { clock, backoff: new Backoff(clock, 1_000, 50_000) };
}

it('doubles up to its maximum and stays there', async () => {
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

it('keeps the delays of different keys apart', () => {
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
  'after an event %d ms after the last update (reset beyond twice the maximum), the delay is %d ms',
  (at, expected) => {
    const { backoff } = createRig();
    backoff.next('a', 0);
    backoff.next('a', at);
    expect(backoff.get('a')).toBe(expected);
  },
);

describe('isInBackOffSince', () => {
  it.each<[number, boolean]>([
    [999, true],
    [1_000, false],
    [60_000, false],
  ])('%d ms after an event is within a delay of 1 s: %s', async (passed, expected) => {
    const { clock, backoff } = createRig();
    backoff.next('a', 0);
    await clock.advance(passed);
    expect(backoff.isInBackOffSince('a', 0)).toBe(expected);
  });

  it('is false when no delay was set', () => {
    expect(createRig().backoff.isInBackOffSince('a', 0)).toBe(false);
  });

  it('is false when the delay expired before the event', async () => {
    const { clock, backoff } = createRig();
    backoff.next('a', 0);
    await clock.advance(100_001);
    expect(backoff.isInBackOffSince('a', clock.now())).toBe(false);
    expect(backoff.isInBackOffSince('a', clock.now() - 1)).toBe(true);
  });
});

describe('isInBackOffSinceUpdate', () => {
  it.each<[number, boolean]>([
    [0, true],
    [999, true],
    [1_000, false],
    [100_001, false],
  ])('an event %d ms after the last update is within a delay of 1 s: %s', (event, expected) => {
    const { backoff } = createRig();
    backoff.next('a', 0);
    expect(backoff.isInBackOffSinceUpdate('a', event)).toBe(expected);
  });

  it('counts from the time of the update', async () => {
    const { clock, backoff } = createRig();
    await clock.advance(5_000);
    backoff.next('a', 0);
    expect(backoff.isInBackOffSinceUpdate('a', 5_999)).toBe(true);
    expect(backoff.isInBackOffSinceUpdate('a', 6_000)).toBe(false);
  });

  it('is false when no delay was set', () => {
    expect(createRig().backoff.isInBackOffSinceUpdate('a', 0)).toBe(false);
  });
});

it('gc removes keys that were not updated for more than twice the maximum', async () => {
  const { clock, backoff } = createRig();
  backoff.next('old', 0);
  await clock.advance(1);
  backoff.next('new', 1);
  await clock.advance(100_000);
  backoff.gc();
  expect([backoff.get('old'), backoff.get('new')]).toEqual([0, 1_000]);
});
