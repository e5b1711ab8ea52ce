import { describe, expect, it } from 'vitest';

import { seeded } from '../../../src/clock/clock.js';
import { continuedRuns, tailOf, withEstimates } from '../../../src/sim/recorded/estimate.js';
import type { Observation, ObservedRun } from '../../../src/sim/recorded/observe.js';

const TIMEOUT = 1000;

/** The answers to an attempt each second: a latency in milliseconds, or `fail` for an error. */
function answersOf(latencies: readonly (number | 'fail')[]): readonly Observation[] {
  return latencies.map((latency, index): Observation => {
    const isLate = latency !== 'fail' && latency > TIMEOUT;
    return {
      probe: 'liveness',
      age: (index + 1) * 1000,
      latency: latency === 'fail' ? 2 : Math.min(latency, TIMEOUT),
      outcome: { result: latency === 'fail' || isLate ? 'failure' : 'success', output: '' },
      ...(isLate ? { timedOutAfter: TIMEOUT } : {}),
    };
  });
}

function run(number: number, latencies: readonly (number | 'fail')[]): ObservedRun {
  const stopped = {
    kind: 'stopped',
    age: latencies.length * 1000,
    exitCode: 143,
    took: 5,
  } as const;
  const answers = new Map([['tcp :80', answersOf(latencies)]]);
  return { run: number, startedAt: 0, startTakes: 3, answers, end: stopped };
}

const answersIn = (runs: readonly ObservedRun[], index = 0): readonly Observation[] =>
  runs[index]?.answers.get('tcp :80') ?? [];

/** Latencies from `from` to `to`, all as likely. */
function uniform(count: number, from: number, to: number): readonly number[] {
  const random = seeded(7);
  return Array.from({ length: count }, () => from + (to - from) * random());
}

describe('the tail of latencies around the timeout', () => {
  it.each([
    [500, 1500],
    [800, 1200],
    [300, 2000],
  ])('of %i to %i ms ends near their end', (from, to) => {
    const tail = tailOf([answersOf(uniform(200, from, to))]);
    expect(tail?.quantile(0.99)).toBeGreaterThan(to * 0.8);
    expect(tail?.quantile(0.99)).toBeLessThan(to * 1.6);
  });

  it.each([
    ['the answers take much less than the timeout', [...uniform(50, 5, 20), 3000, 5]],
    ['there are too few answers', [900, 3000, 950, 3000]],
    ['nothing timed out', uniform(50, 500, 900)],
  ])('is unknown where %s', (_, latencies) => {
    expect(tailOf([answersOf(latencies)])).toBeUndefined();
  });
});

describe('the answer of an attempt that timed out', () => {
  it('is drawn from the tail, so that it takes longer than the timeout', () => {
    const found = answersIn(withEstimates([run(0, uniform(100, 600, 1400))]));
    const drawn = found.flatMap(({ estimate }) => estimate ?? []);
    expect(drawn.length).toBeGreaterThan(30);
    for (const { basis, takes, outcome } of drawn) {
      expect([basis, outcome.result, takes > TIMEOUT]).toEqual(['tail', 'success', true]);
    }
  });

  it('comes with the next answer after an outage', () => {
    const found = answersIn(withEstimates([run(0, [5, 5, 9000, 9000, 9000, 5, 5])]));
    expect(found.map(({ estimate }) => estimate?.takes)).toEqual([
      ...[undefined, undefined],
      ...[3002.5, 2002.5, 1002.5],
      ...[undefined, undefined],
    ]);
  });

  it.each([
    ['in a run that answered before', [5, 5, 9000, 9000, 9000], [2, 3, 4]],
    ['in a run that never answered', [9000, 9000, 9000], [0, 1, 2]],
  ] as const)('comes as late as that of a trial %s', (_, latencies, late) => {
    const list = answersOf(latencies).map((each, index, { length }) =>
      index === length - 2 ? { ...each, triedFor: 1500 } : each,
    );
    const tried = { ...run(0, latencies), answers: new Map([['tcp :80', list]]) };
    const found = answersIn(withEstimates([tried])).flatMap(({ estimate }, index) =>
      estimate === undefined ? [] : [[index, estimate.basis, estimate.takes]],
    );
    expect(found).toEqual(late.map((index) => [index, 'trial', 1500]));
  });

  it('is unknown at the end of a run', () => {
    const found = answersIn(withEstimates([run(0, [5, 5, 5, 9000, 9000])]));
    expect(found.at(-1)?.estimate).toBeUndefined();
  });
});

describe('a run that was stopped', () => {
  const continued = (...lists: readonly (readonly (number | 'fail')[])[]) =>
    continuedRuns(
      lists.map((list, index) => run(index, list)),
      20_000,
    );

  it('goes on as the others went on after their start', () => {
    const found = answersIn(continued(['fail', 'fail', 'fail'], ['fail', 5, 6]));
    expect(found.slice(3, 6).map(({ age, latency }) => [age, latency])).toEqual([
      [4000, 5],
      [5000, 6],
      [6000, 5],
    ]);
  });

  it('goes on as before after failures that may be chance', () => {
    const flapping = Array.from({ length: 8 }, () => [5, 5, 'fail'] as const).flat();
    expect(answersIn(continued([...flapping, 'fail'])).at(-1)?.continued).toBe(undefined);
    expect(answersIn(continued(flapping.slice(0, 12))).at(-1)).toMatchObject({ continued: true });
  });

  it('has recovered before a back-off, during which nothing was tried, from what may be chance', () => {
    const list = answersOf([5, 5, 5, 'fail', 5, 5]).map((one) =>
      one.age > 4000 ? { ...one, age: one.age + 60_000 } : one,
    );
    const [found] = continuedRuns([{ ...run(0, []), answers: new Map([['tcp :80', list]]) }], 0);
    const added = found?.answers.get('tcp :80')?.find(({ age }) => age > 4000);
    expect(added).toMatchObject({ age: 5000, outcome: { result: 'success' }, continued: true });
  });

  it('does not recover where it failed too often in a row for chance', () => {
    const found = answersIn(continued([5, 5, 5, 5, 'fail', 'fail', 'fail'], [5, 5, 5]));
    expect(found).toHaveLength(7);
  });
});
