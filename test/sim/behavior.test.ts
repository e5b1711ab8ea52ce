import { describe, expect, it } from 'vitest';

import { VirtualClock } from '../../src/clock/virtual-clock.js';
import { type Behavior, replyOf, RunDraws } from '../../src/sim/behavior.js';

const exactly = (time: number) => ({ from: time, to: time });

/** The reply at an age of the container, where a reply usually takes 2 ms. */
function ask(behavior: Behavior, age: number, clock = new VirtualClock(7)): string {
  const random = (): number => clock.random();
  const { kind, takes } = replyOf(behavior, { age }, 2, new RunDraws(random), random);
  return `${kind} ${takes}`;
}

describe('a scripted app', () => {
  it.each<[string, Behavior, number, string]>([
    ['answers when no behavior is set', {}, 0, 'ok 2'],
    ['is closed before closedUntil', { closedUntil: exactly(500) }, 499, 'closed 2'],
    ['is open from closedUntil on', { closedUntil: exactly(500) }, 500, 'ok 2'],
    [
      'is not ready before notReadyUntil',
      { notReadyUntil: exactly(500), latency: exactly(9) },
      0,
      'notReady 9',
    ],
    ['answers after its latency', { latency: exactly(90) }, 0, 'ok 90'],
    ['fails each time with failRate 1', { failRate: 1 }, 0, 'fails 2'],
    ['never fails with failRate 0', { failRate: 0 }, 0, 'ok 2'],
    ['answers before a hang', { hangsAt: [{ from: 100, to: 300 }] }, 97, 'ok 2'],
    [
      'delays a reply that is pending when a hang starts',
      { hangsAt: [{ from: 100, to: 300 }] },
      99,
      'ok 203',
    ],
    ['replies after the end of a hang', { hangsAt: [{ from: 100, to: 300 }] }, 250, 'ok 52'],
    ['answers as usual after a hang', { hangsAt: [{ from: 100, to: 300 }] }, 300, 'ok 2'],
    [
      'never replies during a hang without an end',
      { hangsAt: [{ from: 100, to: Infinity }] },
      100,
      'ok Infinity',
    ],
  ])('%s', (_, behavior, age, expected) => {
    expect(ask(behavior, age)).toBe(expected);
  });

  it('draws closedUntil once per run', () => {
    const clock = new VirtualClock(3);
    const random = (): number => clock.random();
    const draws = new RunDraws(random);
    const closedUntil = { from: 0, to: 1000 };
    const first = draws.of(closedUntil);
    expect([draws.of(closedUntil), draws.of(closedUntil)]).toEqual([first, first]);
    expect(new RunDraws(random).of(closedUntil)).not.toBe(first);
  });

  it('draws its latency from the whole spread', () => {
    const clock = new VirtualClock(5);
    const latency = { from: 100, to: 200 };
    const taken = Array.from({ length: 200 }, () => Number(ask({ latency }, 0, clock).slice(3)));
    expect(Math.min(...taken)).toBeGreaterThanOrEqual(100);
    expect(Math.min(...taken)).toBeLessThan(105);
    expect(Math.max(...taken)).toBeLessThan(200);
    expect(Math.max(...taken)).toBeGreaterThan(195);
  });
});
