import { expect, it } from 'vitest';

import { Deadline } from '../../src/probe/attempt.js';
import { LateClock } from '../helpers/late-clock.js';

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
