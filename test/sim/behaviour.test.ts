import { describe, expect, it } from 'vitest';

import { VirtualClock } from '../../src/clock/virtual-clock.js';
import { type Behaviour, replyOf, RunDraws } from '../../src/sim/behaviour.js';

const exactly = (time: number) => ({ from: time, to: time });

/** What one gets who asks at an age, where an answer usually takes 2 ms. */
function ask(behaviour: Behaviour, age: number, clock = new VirtualClock(7)): string {
  const random = (): number => clock.random();
  const { kind, takes } = replyOf(behaviour, age, 2, new RunDraws(random), random);
  return `${kind} ${takes}`;
}

describe('an app', () => {
  it.each<[string, Behaviour, number, string]>([
    ['of which nothing is said is up', {}, 0, 'ok 2'],
    ['is closed before it is ready', { closedUntil: exactly(500) }, 499, 'closed 2'],
    ['is open from then on', { closedUntil: exactly(500) }, 500, 'ok 2'],
    [
      'says that it is not ready',
      { unreadyUntil: exactly(500), latency: exactly(9) },
      0,
      'unready 9',
    ],
    ['takes its time', { latency: exactly(90) }, 0, 'ok 90'],
    ['fails each time', { failRate: 1 }, 0, 'fails 2'],
    ['never fails', { failRate: 0 }, 0, 'ok 2'],
    ['answers before it hangs', { hangsAt: [{ from: 100, to: 300 }] }, 97, 'ok 2'],
    [
      'answers those under way when it goes on',
      { hangsAt: [{ from: 100, to: 300 }] },
      99,
      'ok 203',
    ],
    ['answers when it goes on', { hangsAt: [{ from: 100, to: 300 }] }, 250, 'ok 52'],
    ['answers again afterwards', { hangsAt: [{ from: 100, to: 300 }] }, 300, 'ok 2'],
    ['may hang for ever', { hangsAt: [{ from: 100, to: Infinity }] }, 100, 'ok Infinity'],
  ])('%s', (_, behaviour, age, expected) => {
    expect(ask(behaviour, age)).toBe(expected);
  });

  it('has one moment in a run from which all who ask find it open', () => {
    const clock = new VirtualClock(3);
    const random = (): number => clock.random();
    const draws = new RunDraws(random);
    const closedUntil = { from: 0, to: 1000 };
    const first = draws.of(closedUntil);
    expect([draws.of(closedUntil), draws.of(closedUntil)]).toEqual([first, first]);
    expect(new RunDraws(random).of(closedUntil)).not.toBe(first);
  });

  it('takes no less and no more than its spread allows', () => {
    const clock = new VirtualClock(5);
    const latency = { from: 100, to: 200 };
    const taken = Array.from({ length: 200 }, () => Number(ask({ latency }, 0, clock).slice(3)));
    expect(Math.min(...taken)).toBeGreaterThanOrEqual(100);
    expect(Math.min(...taken)).toBeLessThan(105);
    expect(Math.max(...taken)).toBeLessThan(200);
    expect(Math.max(...taken)).toBeGreaterThan(195);
  });
});
