import { expect, it } from 'vitest';

import { sleep, withTimeout } from '../../src/clock/clock.js';
import { VirtualClock } from '../../src/clock/virtual-clock.js';

it('sleep ends after its delay', async () => {
  const clock = new VirtualClock(1, 0);
  let woke = -1;
  void sleep(clock, 25).then(() => (woke = clock.now()));
  await clock.advance(24);
  expect(woke).toBe(-1);
  await clock.advance(1);
  expect(woke).toBe(25);
});

it.each<[string, number, string, number]>([
  ['done when the work ends in time', 10, 'done', 10],
  ['timeout when the work takes longer', 100, 'timeout', 50],
])('withTimeout resolves to %s', async (_, takes, expected, at) => {
  const clock = new VirtualClock(1, 0);
  let ended: [string, number] | undefined;
  void withTimeout(clock, sleep(clock, takes), 50).then((how) => (ended = [how, clock.now()]));
  await clock.advance(200);
  expect(ended).toEqual([expected, at]);
});

it('withTimeout rejects when the work rejects', async () => {
  const clock = new VirtualClock(1, 0);
  await expect(withTimeout(clock, Promise.reject(new Error('broken')), 50)).rejects.toThrow(
    'broken',
  );
});

it('withTimeout leaves no timer behind when the work rejects', async () => {
  const clock = new VirtualClock(1, 0);
  let canceled = 0;
  const cancel = (): number => canceled++;
  const counting = Object.assign(clock, { setTimeout: () => ({ cancel }) });
  await expect(withTimeout(counting, Promise.reject(new Error('broken')), 50)).rejects.toThrow();
  expect(canceled).toBe(1);
});
