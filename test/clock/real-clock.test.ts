import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { RealClock } from '../../src/clock/real-clock.js';

/** Node's maximum timer delay. */
const LONGEST = 2 ** 31 - 1;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('go', () => {
  it("runs its callback after the caller's current task", async () => {
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
    ['longer than the maximum of Node', LONGEST + 60_000],
    ['three times the maximum of Node', 3 * LONGEST],
  ])('with a delay %s fires when it is due', (_, delay) => {
    const clock = new RealClock();
    const begin = clock.now();
    const seen: number[] = [];
    clock.setTimeout(() => seen.push(Math.round(clock.now() - begin)), delay);
    vi.advanceTimersByTime(delay - 1);
    expect(seen).toEqual([]);
    vi.advanceTimersByTime(2);
    expect(seen).toEqual([delay]);
  });

  it('with a negative delay fires at once', () => {
    const seen: string[] = [];
    new RealClock().setTimeout(() => seen.push('ran'), -10);
    vi.advanceTimersByTime(0);
    expect(seen).toEqual(['ran']);
  });

  it.each([1_000, LONGEST + 60_000])(
    'with a delay of %d ms does not fire when it is canceled',
    (delay) => {
      const seen: string[] = [];
      const timer = new RealClock().setTimeout(() => seen.push('ran'), delay);
      vi.advanceTimersByTime(Math.min(delay - 1, LONGEST));
      timer.cancel();
      vi.advanceTimersByTime(delay);
      expect(seen).toEqual([]);
    },
  );
});

it('random() is in [0, 1)', () => {
  const number = new RealClock().random();
  expect(number >= 0 && number < 1).toBe(true);
});

it.each([
  ['forth, as after a suspend', 8 * 3_600_000],
  ['back', -3_600_000],
])('a wall clock set %s moves neither the time nor a timer', (_, jump) => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'hrtime'] });
  const clock = new RealClock();
  const begin = clock.now();
  const seen: number[] = [];
  clock.setTimeout(() => seen.push(Math.round(clock.now() - begin)), 1_000);
  vi.setSystemTime(Date.now() + jump);
  expect(clock.now() - begin).toBeCloseTo(0);
  vi.advanceTimersByTime(1_001);
  expect(seen).toEqual([1_000]);
});
