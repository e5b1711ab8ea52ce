import { setTimeout as sleep } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { RealClock } from '../../src/clock/real-clock.js';

/** Keeps the process from everything else. */
function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

it('counts how long the process did nothing else, and only from the beginning on', async () => {
  const clock = new RealClock();
  const whole = clock.measureLateness();
  await sleep(70);
  block(400);
  const later = clock.measureLateness();
  await sleep(120);
  expect(whole() - later()).toBeGreaterThan(300);
});

it('counts a block that ends just before the measurement', () => {
  const lateness = new RealClock().measureLateness();
  block(300);
  expect(lateness()).toBeGreaterThan(200);
});
