import { describe, expect, it } from 'vitest';

import { goLater, midpoint, nextTurn, seeded, sleep } from '../../src/clock/clock.js';
import { VirtualClock } from '../../src/clock/virtual-clock.js';

describe('the time of a VirtualClock', () => {
  it('starts where the Go playground starts', () => {
    expect(new Date(new VirtualClock().now()).toISOString()).toBe('2009-11-10T23:00:00.000Z');
  });

  it('moves from one timer to the next, and on to the end', async () => {
    const clock = new VirtualClock(1, 0);
    const seen: number[] = [];
    for (const delay of [30, 10, 20, 10.5, 40.001]) {
      clock.setTimeout(() => seen.push(clock.now()), delay);
    }
    await clock.runUntil(40);
    expect(seen).toEqual([10, 10.5, 20, 30]);
    expect(clock.now()).toBe(40);
    await clock.advance(5);
    expect([seen.at(-1), clock.now()]).toEqual([40.001, 45]);
  });

  it('never goes backward', async () => {
    const clock = new VirtualClock(1, 100);
    await clock.runUntil(50);
    expect(clock.now()).toBe(100);
  });

  it('keeps a thousand timers in order', async () => {
    const clock = new VirtualClock(7, 0);
    const seen: number[] = [];
    const delays = Array.from({ length: 1000 }, () => clock.random() * 1000);
    for (const delay of delays) clock.setTimeout(() => seen.push(delay), delay);
    await clock.advance(1000);
    expect(seen).toEqual([...delays].sort((a, b) => a - b));
  });
});

describe('timers for the same time', () => {
  it('fire in the order in which they were set, before callbacks of go', async () => {
    const clock = new VirtualClock(1, 0);
    const seen: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      clock.setTimeout(() => {
        seen.push(name);
        clock.go(() => seen.push(`${name} goes`));
      }, 10);
    }
    await clock.advance(10);
    expect(seen).toEqual(['a', 'b', 'c', 'c goes', 'a goes', 'b goes']);
  });

  it('let sleepers continue one after the other', async () => {
    const clock = new VirtualClock(1, 0);
    const seen: string[] = [];
    const work = async (name: string): Promise<void> => {
      await sleep(clock, 10);
      for (let step = 0; step < 5; step++) {
        await Promise.resolve();
        seen.push(`${name}${step}`);
      }
    };
    void work('a');
    void work('b');
    await clock.advance(10);
    expect(seen).toEqual(['b0', 'b1', 'b2', 'b3', 'b4', 'a0', 'a1', 'a2', 'a3', 'a4']);
  });

  it('include those that they set for the same time', async () => {
    const clock = new VirtualClock(1, 0);
    const seen: string[] = [];
    clock.setTimeout(() => {
      clock.setTimeout(() => seen.push(`negative ${clock.now()}`), -5);
      clock.setTimeout(() => seen.push(`zero ${clock.now()}`), 0);
    }, 10);
    await clock.advance(10);
    expect(seen).toEqual(['negative 10', 'zero 10']);
  });
});

describe('go', () => {
  it('runs the last queued callback first and then the others in order', async () => {
    const clock = new VirtualClock(1, 0);
    const seen: string[] = [];
    const go = (name: string, then: () => void = () => undefined): void => {
      clock.go(() => {
        seen.push(name);
        then();
      });
    };
    go('a', () => {
      go('d');
      go('e');
      seen.push('a waits');
    });
    go('b');
    go('c');
    expect(seen).toEqual([]);
    await clock.advance(0);
    expect(seen).toEqual(['c', 'a', 'a waits', 'e', 'b', 'd']);
  });

  it('runs its callback without advancing the time', async () => {
    const clock = new VirtualClock(1, 0);
    const seen: number[] = [];
    clock.setTimeout(() => clock.go(() => seen.push(clock.now())), 10);
    goLater(clock, () => seen.push(clock.now()), 10);
    await clock.advance(20);
    expect(seen).toEqual([10, 10]);
  });

  it("nextTurn resolves after the caller's current task", async () => {
    const clock = new VirtualClock(1, 0);
    const seen: string[] = [];
    const apart = nextTurn(clock).then(() => seen.push('apart'));
    await Promise.resolve();
    seen.push('here');
    await clock.advance(0);
    await apart;
    expect(seen).toEqual(['here', 'apart']);
  });
});

describe('a canceled timer', () => {
  it('does not fire', async () => {
    const clock = new VirtualClock(1, 0);
    const seen: string[] = [];
    const timer = clock.setTimeout(() => seen.push('cancelled'), 10);
    clock.setTimeout(() => seen.push('other'), 10);
    timer.cancel();
    timer.cancel();
    await clock.advance(10);
    expect(seen).toEqual(['other']);
  });

  it('does not fire when it is canceled by another timer at the same time', async () => {
    const clock = new VirtualClock(1, 0);
    const seen: string[] = [];
    clock.setTimeout(() => second.cancel(), 10);
    const second = clock.setTimeout(() => seen.push('second'), 10);
    await clock.advance(10);
    expect(seen).toEqual([]);
  });
});

describe('random numbers', () => {
  it('come from the seed', () => {
    expect(new VirtualClock(7).random()).toBe(seeded(7)());
  });

  it('come from a given function', () => {
    expect(new VirtualClock(midpoint).random()).toBe(0.5);
  });
});

it('a callback of go waits for the promises of the previous one', async () => {
  const clock = new VirtualClock();
  const seen: string[] = [];
  clock.go(() => seen.push('next'));
  clock.go(() => {
    void Promise.resolve().then(() => seen.push('promise'));
  });
  await clock.advance(1);
  expect(seen).toEqual(['promise', 'next']);
});
