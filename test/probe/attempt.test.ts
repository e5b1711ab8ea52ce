import { expect, it } from 'vitest';

import type { Clock } from '../../src/clock/clock.js';
import { Deadline } from '../../src/probe/attempt.js';

/** A clock whose timers fire when a test says so, however late. */
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

it('expires when its time is up', () => {
  const clock = new LateClock();
  const deadline = new Deadline(clock, 100);
  clock.fireAt(100);
  expect(deadline.expired).toBe(true);
});

it('does not expire early, should its timer be', () => {
  const clock = new LateClock();
  const deadline = new Deadline(clock, 100);
  clock.fireAt(99.9);
  expect(deadline.expired).toBe(false);
  clock.fireAt(100.1);
  expect(deadline.expired).toBe(true);
});

it.each([
  ['ends in time when what has arrived ends it', true],
  ['expires after as much time again when nothing has', false],
])('held up by other work, %s', (_, hasArrived) => {
  const clock = new LateClock();
  const deadline = new Deadline(clock, 100);
  clock.fireAt(160);
  expect(deadline.expired).toBe(false);
  if (hasArrived) deadline.end();
  clock.fireAt(220);
  expect(deadline.expired).toBe(!hasArrived);
});

it('expires after twice its time at most, however long it was held up', () => {
  const clock = new LateClock();
  const deadline = new Deadline(clock, 100);
  clock.fireAt(30_000);
  expect(deadline.left).toBe(100);
  clock.fireAt(60_000);
  expect(deadline.expired).toBe(true);
});
