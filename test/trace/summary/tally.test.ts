import { describe, expect, it } from 'vitest';

import type { Result } from '../../../src/trace/event.js';
import { count, NO_ATTEMPT, type Tally } from '../../../src/trace/summary/tally.js';

const RESULTS = { s: 'success', f: 'failure', e: 'error' } as const;

function after(results: string, success: number, failure: number): Tally {
  return (results.match(/./g) ?? []).reduce<Tally>(
    (tally, letter) =>
      count(tally, RESULTS[letter as keyof typeof RESULTS], 5, { success, failure }),
    NO_ATTEMPT,
  );
}

describe('count', () => {
  it.each<[string, number, number, Result | undefined, boolean]>([
    ['s', 1, 1, 'success', false],
    ['f', 1, 1, 'failure', true],
    ['e', 1, 1, undefined, false],
    ['ss', 3, 1, undefined, false],
    ['sss', 3, 1, 'success', false],
    ['ssfss', 3, 3, undefined, false],
    ['ses', 2, 1, 'success', false],
    ['ff', 1, 3, undefined, false],
    ['ffsff', 1, 3, 'success', false],
    ['fffs', 1, 3, 'success', true],
    ['fef', 1, 2, 'failure', true],
  ])('after %s with thresholds %i and %i sets %s', (results, success, failure, set, failed) => {
    expect(after(results, success, failure)).toMatchObject({ failed, ...(set && { set }) });
    expect(after(results, success, failure).set).toBe(set);
  });

  it('keeps the minimum, maximum and sum of latencies', () => {
    const one = count(NO_ATTEMPT, 'success', 4, { success: 1, failure: 1 });
    const two = count(one, 'error', 10, { success: 1, failure: 1 });
    expect(two.latency).toEqual({ min: 4, max: 10, sum: 14 });
  });
});
