import { describe, expect, it } from 'vitest';

import { seeded } from '../../../src/clock/clock.js';
import type { PodFact } from '../../../src/rollout/traffic/pod-fact.js';
import { Proxy, usableEndpoints } from '../../../src/rollout/traffic/proxy.js';

const READY = { ready: true, serving: true, terminating: false };
const UNREADY = { ready: false, serving: false, terminating: false };
const DRAINING = { ready: false, serving: true, terminating: true };
const ENDING = { ready: false, serving: false, terminating: true };

describe('usableEndpoints', () => {
  it('takes the ready endpoints alone while there is one', () => {
    expect(
      usableEndpoints([
        ['a', DRAINING],
        ['b', READY],
        ['c', UNREADY],
      ]),
    ).toEqual(['b']);
  });

  it('falls back to endpoints that serve and terminate', () => {
    expect(
      usableEndpoints([
        ['a', DRAINING],
        ['b', UNREADY],
        ['c', ENDING],
      ]),
    ).toEqual(['a']);
  });

  it('has none where no endpoint is ready, or serves and terminates', () => {
    expect(usableEndpoints([['a', UNREADY]])).toEqual([]);
  });

  it('takes an unready pod that publishNotReadyAddresses makes ready', () => {
    expect(usableEndpoints([['a', { ...UNREADY, ready: true }]])).toEqual(['a']);
  });
});

describe('Proxy', () => {
  const facts: readonly PodFact[] = [
    { at: 0, pod: 'a', kind: 'endpoint', conditions: READY },
    { at: 1000, pod: 'b', kind: 'endpoint', conditions: READY },
    { at: 2000, pod: 'a', kind: 'endpoint', conditions: DRAINING },
    { at: 3000, pod: 'b', kind: 'endpoint' },
  ];
  const usableAt = (proxy: Proxy, at: number): readonly string[] => {
    proxy.advanceTo(at);
    return proxy.usable;
  };

  it('applies each change after the delay', () => {
    const proxy = new Proxy(facts, { from: 500, to: 500 }, seeded(1));
    expect(usableAt(proxy, 499)).toEqual([]);
    expect(usableAt(proxy, 500)).toEqual(['a']);
    expect(usableAt(proxy, 2499)).toEqual(['a', 'b']);
    expect(usableAt(proxy, 2500)).toEqual(['b']);
    expect(proxy.chooses('a')).toBe(false);
    expect(usableAt(proxy, 3500)).toEqual(['a']);
  });

  it('never applies a later change first', () => {
    for (let seed = 1; seed < 50; seed++) {
      const proxy = new Proxy(facts, { from: 0, to: 10_000 }, seeded(seed));
      const seen = Array.from({ length: 140 }, (_, step) => usableAt(proxy, step * 100).join('+'));
      const states = seen.filter((state, step) => state !== seen[step - 1]);
      expect(states.join(' ')).toMatch(/^ ?(a )?(a\+b )?(b )?a$/);
    }
  });
});
