import { describe, expect, it } from 'vitest';

import { distributionOf, summarizeRuns } from '../../src/sim/many-runs.js';

const run = {
  readyAfter: 5,
  restarts: 0,
  unready: 0,
  readyFor: 5,
  crashLooped: false,
  good: true,
  obstacles: [],
};

describe('distributionOf', () => {
  it('returns percentiles that occur in the data', () => {
    const amounts = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(distributionOf(amounts)).toMatchObject({
      count: 100,
      min: 1,
      p50: 50,
      p90: 90,
      p99: 99,
      max: 100,
      mean: 50.5,
    });
  });

  it('counts each amount once', () => {
    const { histogram = [] } = distributionOf([0.5, 0.7, 1.9, 3.1, 8]) ?? {};
    expect(histogram.reduce((sum, { count }) => sum + count, 0)).toBe(5);
    expect([histogram[0]?.from, histogram.at(-1)?.to]).toEqual([0.5, 8]);
  });

  it('has a bucket for each of a few whole numbers', () => {
    expect(distributionOf([0, 0, 2])?.histogram).toEqual([
      { from: 0, to: 0, count: 2 },
      { from: 1, to: 1, count: 0 },
      { from: 2, to: 2, count: 1 },
    ]);
  });

  it('has one bucket for a single amount, and returns null without amounts', () => {
    expect(distributionOf([4.5, 4.5])?.histogram).toEqual([{ from: 4.5, to: 4.5, count: 2 }]);
    expect(distributionOf([])).toBeNull();
  });
});

it('summarizeRuns returns shares and the number of runs that were never ready', () => {
  const lost = {
    ...run,
    readyAfter: null,
    unready: null,
    restarts: 3,
    crashLooped: true,
    good: false,
  };
  expect(summarizeRuns([run, run, run, lost])).toMatchObject({
    runs: 4,
    neverReady: 1,
    restarted: 0.25,
    crashLooped: 0.25,
    good: 0.75,
    readyAfter: { count: 3 },
    unready: { count: 3 },
    restarts: { max: 3 },
  });
});

it('summarizeRuns lists obstacles by frequency, each with its most frequent message', () => {
  const app = { container: 'app', state: 'running', lastState: '', probe: 'readiness' } as const;
  const log = { container: 'log', state: 'waiting CrashLoopBackOff', lastState: '', message: '' };
  const lost = (message: string) => ({ ...run, good: false, obstacles: [{ ...app, message }] });
  const both = { ...lost('503'), obstacles: [log, { ...app, message: '503' }] };
  expect(summarizeRuns([run, lost('refused'), both, lost('503')]).obstacles).toEqual([
    { ...app, message: '503', runs: 3 },
    { ...log, runs: 1 },
  ]);
});
