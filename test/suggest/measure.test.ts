import { describe, expect, it } from 'vitest';

import type { Observation, ObservedRun } from '../../src/sim/recorded/observe.js';
import { measure } from '../../src/suggest/measure.js';

/** A run that was asked each second: `s` succeeded, `f` failed, `t` ran into its timeout. */
function run(answers: string): ObservedRun {
  const list = Array.from(answers, (letter, index): Observation => ({
    probe: 'liveness',
    age: (index + 1) * 1000,
    latency: letter === 't' ? 1000 : 10 * (index + 1),
    outcome: { result: letter === 's' ? 'success' : 'failure', output: '' },
    ...(letter === 't' ? { timedOutAfter: 1000 } : {}),
  }));
  return { run: 0, startedAt: 0, startTakes: 3, answers: new Map([['exec check', list]]) };
}

const measured = (...runs: readonly string[]) => measure(runs.map(run), 'exec check');

describe('a measure', () => {
  it('tells when each start was first answered, and not yet', () => {
    expect(measured('ffs', 's').starts).toEqual([
      { from: 2, to: 3 },
      { from: 0, to: 1 },
    ]);
  });

  it('counts runs that were never answered', () => {
    expect(measured('fff', 'fs')).toMatchObject({ neverAnswered: 1, attempts: 5 });
  });

  it('takes the slowest success', () => {
    expect(measured('sss', 'ft').slowest).toBe(30);
  });

  it('tells rows of failures that ended from the one in which the run did', () => {
    expect(measured('sffsfsfff')).toMatchObject({
      outages: [
        { failures: 2, lasted: 2, timeouts: 0 },
        { failures: 1, lasted: 1, timeouts: 0 },
      ],
      unended: 3,
    });
  });

  it('counts timeouts that come alone after the first success', () => {
    expect(measured('tstsftstttts').timeouts).toBe(2);
  });

  it('takes the answer to a trial with a longer timeout for a slow one', () => {
    const list = run('ttt')
      .answers.get('exec check')!
      .map((each): Observation => {
        const outcome = { result: 'success', output: '' } as const;
        return { ...each, estimate: { basis: 'trial', takes: 1500, outcome } };
      });
    const tried = [{ ...run('ttt'), answers: new Map([['exec check', list]]) }];
    expect(measure(tried, 'exec check')).toMatchObject({
      ...{ starts: [{ to: 1 }], neverAnswered: 0 },
      ...{ slowest: 1500, usual: 1500, timeouts: 0, failed: 3 },
    });
    expect(measure(tried, 'exec check', { limit: 3000 }).failed).toBe(0);
  });

  it('counts the failures of one of the probes that ask the same', () => {
    const both = run('sfs');
    const list = both.answers
      .get('exec check')!
      .map((one) => ({ ...one, probe: 'readiness' }) as const);
    const answers = new Map([['exec check', [...both.answers.get('exec check')!, ...list]]]);
    const shared = [{ ...both, answers }];
    expect(measure(shared, 'exec check', { probe: 'liveness' })).toMatchObject({
      attempts: 6,
      outages: [{ failures: 1 }],
    });
    expect(measure(shared, 'exec check', { probe: 'startup' }).asked).toBe(6);
  });

  it('leaves stalls out of what is usual', () => {
    const latencies = [...Array.from({ length: 20 }, () => 30), 1400, 8000];
    const list = latencies.map((latency, index): Observation => ({
      probe: 'liveness',
      age: index * 1000,
      latency,
      outcome: { result: 'success', output: '' },
    }));
    const runs = [{ ...run(''), answers: new Map([['exec check', list]]) }];
    expect(measure(runs, 'exec check')).toMatchObject({ slowest: 8000, usual: 30, outages: [] });
    expect(measure(runs, 'exec check', { limit: 2000 })).toMatchObject({ unended: 1 });
  });

  it('counts failures, and those that come once or twice in a row', () => {
    expect(measured('sfsffsfffs')).toMatchObject({ asked: 10, failed: 6, flaps: 3 });
  });

  it('has the time that a run without a success was probed', () => {
    expect(measured('ffs', 'fff')).toMatchObject({ longestUnanswered: 3.03 });
  });
});
