import { describe, expect, it } from 'vitest';

import { AT_REST } from '../../src/clock/clock.js';
import { after, Later } from '../../src/clock/later.js';
import { VirtualClock } from '../../src/clock/virtual-clock.js';

describe('who waits for what will come', () => {
  it('goes on before it is settled, not in a microtask', () => {
    const later = new Later<number>();
    const seen: number[] = [];
    void later
      .then((value) => value + 1)
      .then((value) => {
        seen.push(value);
      });
    later.settle(1);
    expect(seen).toEqual([2]);
  });

  it('goes on at once when it is there already', () => {
    const seen: string[] = [];
    void Later.of('there').then((value) => {
      seen.push(value);
    });
    expect(seen).toEqual(['there']);
  });

  it('gets the same where nothing is done about it', () => {
    const later = new Later<number>();
    expect(later.then()).toBe(later);
  });

  it('waits for what comes of that, too', () => {
    const first = new Later<number>();
    const second = new Later<string>();
    const seen: string[] = [];
    void first
      .then((value) => second.then((text) => `${text} ${value}`))
      .then((text) => {
        seen.push(text);
      });
    first.settle(1);
    expect(seen).toEqual([]);
    second.settle('then');
    expect(seen).toEqual(['then 1']);
  });

  it('may be an async function, and may wait for a promise', async () => {
    const later = new Later<number>();
    const doubled = later.then((value) => Promise.resolve(value * 2));
    later.settle(4);
    expect(await doubled).toBe(8);
    expect(await Later.of(3).then((value) => Promise.resolve(value))).toBe(3);
  });
});

describe('what came of settling it', () => {
  const settled = (wait: (value: number) => unknown): unknown => {
    const later = new Later<number>();
    void later.then((value) => value).then(wait);
    return later.settle(1);
  };

  it.each([
    ['nothing asynchronous, when who waits last says so', () => AT_REST, AT_REST],
    ['nothing asynchronous, when it waits for another one', () => new Later(), AT_REST],
    ['something, when it says nothing', () => undefined, undefined],
    ['something, when it waits for a promise', () => Promise.resolve(AT_REST), undefined],
  ])('is %s', (_, wait, came) => {
    expect(settled(wait)).toBe(came);
  });
});

it('what comes after some time comes then', async () => {
  const clock = new VirtualClock(1, 0);
  const seen: unknown[] = [];
  void after(clock, 20, 'value').then((value) => {
    seen.push(value, clock.now());
  });
  await clock.advance(30);
  expect(seen).toEqual(['value', 20]);
});
