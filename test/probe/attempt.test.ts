import { expect, it } from 'vitest';

import type { Clock } from '../../src/clock/clock.js';
import { Deadline } from '../../src/probe/attempt.js';

/** A clock whose timers fire when a test calls fireAt, however late. */
class LateClock implements Clock {
  time = 0;
  timer: (() => unknown) | undefined;

  now(): number {
    return this.time;
  }
  setTimeout(callback: () => unknown): { cancel: () => void } {
    this.timer = callback;
    return { cancel: () => (this.timer = undefined) };
  }
  go(): void {
    throw new Error('a deadline starts nothing');
  }
  random(): number {
    return 0;
  }

  fireAt(time: number): void {
    this.time = time;
    this.timer?.();
  }
}

it('Deadline expires when its time is up', () => {
  const clock = new LateClock();
  const deadline = new Deadline(clock, 100);
  clock.fireAt(100);
  expect(deadline.expired).toBe(true);
});

it('Deadline does not expire when its timer fires early', () => {
  const clock = new LateClock();
  const deadline = new Deadline(clock, 100);
  clock.fireAt(99.9);
  expect(deadline.expired).toBe(false);
  clock.fireAt(100.1);
  expect(deadline.expired).toBe(true);
});

it.each([
  ['does not expire when the attempt ends first', true],
  ['expires after the same time again', false],
])('Deadline with a late timer %s', (_, hasArrived) => {
  const clock = new LateClock();
  const deadline = new Deadline(clock, 100);
  clock.fireAt(160);
  expect(deadline.expired).toBe(false);
  if (hasArrived) deadline.end();
  clock.fireAt(220);
  expect(deadline.expired).toBe(!hasArrived);
});

it('Deadline waits the same time again however late its timer was', () => {
  const clock = new LateClock();
  const deadline = new Deadline(clock, 100);
  clock.fireAt(30_000);
  expect(deadline.left).toBe(100);
  clock.fireAt(60_000);
  expect(deadline.expired).toBe(true);
});
