import { expect, it } from 'vitest';

import type { Clock } from '../../src/clock/clock.js';
import { Deadline } from '../../src/probe/attempt.js';

/** A clock whose timers fire when a test says so, however late. */
class LateClock implements Clock {
  time = 0;
  timer: (() => unknown) | undefined;
  readonly apart: (() => unknown)[] = [];

  now(): number {
    return this.time;
  }
  setTimeout(callback: () => unknown): { cancel: () => void } {
    this.timer = callback;
    return { cancel: () => (this.timer = undefined) };
  }
  go(callback: () => unknown): void {
    this.apart.push(callback);
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
  ['ends in time when what had arrived ends it', true],
  ['expires when nothing had', false],
])('held up by other work, %s', (_, hadArrived) => {
  const clock = new LateClock();
  const deadline = new Deadline(clock, 100);
  clock.fireAt(300);
  expect(deadline.expired).toBe(false);
  if (hadArrived) deadline.end();
  for (const callback of clock.apart) callback();
  expect(deadline.expired).toBe(!hadArrived);
});
