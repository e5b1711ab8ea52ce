import type { VirtualClock } from '../../src/clock/virtual-clock.js';

/** What the work came to, on a clock that stands still, or moves on by so many milliseconds. */
export async function settle<Value>(
  clock: VirtualClock,
  work: Promise<Value>,
  milliseconds = 0,
): Promise<Value> {
  work.catch(() => undefined);
  await clock.advance(milliseconds);
  return work;
}
