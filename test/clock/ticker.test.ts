import { expect, it } from 'vitest';

import { Ticker } from '../../src/clock/ticker.js';
import { VirtualClock } from '../../src/clock/virtual-clock.js';

/** A ticker of 10 ms on a clock that starts at 0; `ticks` has the times of its ticks. */
function createRig(take: boolean) {
  const clock = new VirtualClock(1, 0);
  const ticks: number[] = [];
  const ticker: Ticker = new Ticker(clock, 10, () => {
    ticks.push(clock.now());
    if (take) ticker.take();
  });
  return { clock, ticks, ticker };
}

it('Ticker ticks each period while its ticks are taken', async () => {
  const { clock, ticks, ticker } = createRig(true);
  await clock.advance(35);
  expect(ticks).toEqual([10, 20, 30]);
  expect([ticker.next, ticker.pending]).toEqual([40, false]);
});

it('Ticker keeps one tick, drops the others, and stays in phase when it is taken late', async () => {
  const { clock, ticks, ticker } = createRig(false);
  await clock.advance(35);
  expect(ticks).toEqual([10]);
  expect(ticker.take()).toBe(true);
  expect(ticker.take()).toBe(false);
  await clock.advance(5);
  expect(ticks).toEqual([10, 40]);
});

it('reset() starts a new period and drops the pending tick', async () => {
  const { clock, ticks, ticker } = createRig(false);
  await clock.advance(14);
  ticker.reset();
  expect([ticker.pending, ticker.next]).toEqual([false, 24]);
  await clock.advance(10);
  expect(ticks).toEqual([10, 24]);
});

it('stop() ends the ticks and drops the pending one', async () => {
  const { clock, ticks, ticker } = createRig(false);
  await clock.advance(10);
  ticker.stop();
  await clock.advance(100);
  expect([ticks, ticker.pending]).toEqual([[10], false]);
});

it('Ticker reports the lateness of a tick and the number of skipped ticks', () => {
  let time = 0;
  let fire = (): void => undefined;
  const clock = {
    now: () => time,
    go: (callback: () => void) => callback(),
    random: () => 0,
    setTimeout: (callback: () => void) => {
      fire = callback;
      return { cancel: () => undefined };
    },
  };
  const ticker = new Ticker(clock, 10, () => ticker.take());
  time = 10;
  fire();
  expect([ticker.late, ticker.skipped]).toEqual([0, 0]);
  time = 47;
  fire();
  expect([ticker.late, ticker.skipped, ticker.next]).toEqual([27, 2, 50]);
});
