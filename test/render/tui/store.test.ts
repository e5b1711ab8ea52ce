import { expect, it } from 'vitest';

import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { FrameTimer } from '../../../src/render/tui/store.js';

it('draws at most ten frames a second, however often it is asked', async () => {
  const clock = new VirtualClock();
  let frames = 0;
  const timer = new FrameTimer(clock, () => frames++);
  for (let ms = 0; ms < 10_000; ms += 5) {
    timer.request('soon');
    await clock.advance(5);
  }
  // The first comes at once.
  expect(frames).toBe(101);
  timer.stop();
});

it('draws a few frames a second when only time passes, and none once it is stopped', async () => {
  const clock = new VirtualClock();
  let frames = 0;
  const timer = new FrameTimer(clock, () => frames++);
  timer.request('regular');
  await clock.advance(10_000);
  expect(frames).toBe(41);
  timer.stop();
  timer.request('soon');
  await clock.advance(10_000);
  expect(frames).toBe(41);
});
