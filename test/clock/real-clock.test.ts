import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { RealClock } from '../../src/clock/real-clock.js';

/** Node's longest timer. */
const LONGEST = 2 ** 31 - 1;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('callbacks of go', () => {
  it('runs once who set it going waits', async () => {
    const seen: string[] = [];
    const ran = new Promise<void>((resolve) => {
      new RealClock().go(() => {
        seen.push('apart');
        resolve();
      });
    });
    await Promise.resolve();
    seen.push('here');
    await ran;
    expect(seen).toEqual(['here', 'apart']);
  });
});

describe('a timer', () => {
  it.each<[string, number]>([
    ['short', 1_500],
    ["longer than Node's longest", LONGEST + 60_000],
    ["as long as three of Node's longest", 3 * LONGEST],
  ])('that is %s runs when it is due', (_, delay) => {
    const clock = new RealClock();
    const begin = clock.now();
    const seen: number[] = [];
    clock.setTimeout(() => seen.push(Math.round(clock.now() - begin)), delay);
    vi.advanceTimersByTime(delay - 1);
    expect(seen).toEqual([]);
    vi.advanceTimersByTime(2);
    expect(seen).toEqual([delay]);
  });

  it('whose delay is not positive runs at once', () => {
    const seen: string[] = [];
    new RealClock().setTimeout(() => seen.push('ran'), -10);
    vi.advanceTimersByTime(0);
    expect(seen).toEqual(['ran']);
  });

  it.each([1_000, LONGEST + 60_000])('of %d ms that is cancelled does not run', (delay) => {
    const seen: string[] = [];
    const timer = new RealClock().setTimeout(() => seen.push('ran'), delay);
    vi.advanceTimersByTime(Math.min(delay - 1, LONGEST));
    timer.cancel();
    vi.advanceTimersByTime(delay);
    expect(seen).toEqual([]);
  });
});

it('random numbers lie in [0, 1)', () => {
  const number = new RealClock().random();
  expect(number >= 0 && number < 1).toBe(true);
});
