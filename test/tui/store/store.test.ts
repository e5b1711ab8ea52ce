import { expect, it } from 'vitest';

import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { FrameTimer } from '../../../src/tui/store/store.js';

it('FrameTimer draws at most ten frames per second for requests "soon"', async () => {
  const clock = new VirtualClock();
  let frames = 0;
  const timer = new FrameTimer(clock, () => frames++);
  for (let ms = 0; ms < 10_000; ms += 5) {
    timer.request('soon');
    await clock.advance(5);
  }
  // The first frame is drawn at once.
  expect(frames).toBe(101);
  timer.stop();
});

it('FrameTimer draws four frames per second for requests "regular", and none after stop()', async () => {
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
