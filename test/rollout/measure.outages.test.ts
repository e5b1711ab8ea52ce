import { describe, expect, it } from 'vitest';

import { outageResult } from '../../src/rollout/measure.js';
import type { PodFact } from '../../src/rollout/traffic/pod-fact.js';

const OUTAGE = { name: 'db', window: { from: 60_000, to: 150_000 } };

function endpoint(pod: string, at: number, ready: boolean): PodFact {
  return {
    at,
    pod,
    kind: 'endpoint',
    conditions: { ready, serving: ready, terminating: false },
  };
}

const started = (pod: string, at: number): PodFact => ({ at, pod, kind: 'started' });

const ordered = (...facts: readonly PodFact[]): PodFact[] => [...facts].sort((a, b) => a.at - b.at);

describe('outageResult', () => {
  it('says when the first and the last pod are back', () => {
    const facts = ordered(
      ...['a', 'b', 'c'].flatMap((pod) => [started(pod, 0), endpoint(pod, 5000, true)]),
      endpoint('a', 80_000, false),
      endpoint('b', 81_000, false),
      endpoint('a', 151_000, true),
      endpoint('b', 151_500, true),
    );
    expect(outageResult(OUTAGE, facts)).toEqual({
      name: 'db',
      from: 60_000,
      to: 150_000,
      readyBefore: 3,
      leastReady: 1,
      hit: 2,
      firstBack: 151_000,
      lastBack: 151_500,
      stillOut: 0,
      restarts: 0,
      restartedPods: 0,
      backOffs: 0,
      longestBackOff: 0,
      herd: 2,
    });
  });

  it('counts restarts and back-offs until the last pod is back', () => {
    const facts = ordered(
      started('a', 0),
      endpoint('a', 5000, true),
      endpoint('a', 90_000, false),
      started('a', 91_000),
      { at: 121_000, pod: 'a', kind: 'backOff', delay: 10_000 },
      started('a', 131_000),
      { at: 161_000, pod: 'a', kind: 'backOff', delay: 20_000 },
      started('a', 181_000),
      endpoint('a', 186_000, true),
      started('a', 300_000),
    );
    expect(outageResult(OUTAGE, facts)).toMatchObject({
      restarts: 3,
      restartedPods: 1,
      backOffs: 2,
      longestBackOff: 20_000,
      lastBack: 186_000,
    });
  });

  it('says how many pods are still out at the end', () => {
    const facts = [started('a', 0), endpoint('a', 5000, true), endpoint('a', 80_000, false)];
    expect(outageResult(OUTAGE, facts)).toMatchObject({ hit: 1, stillOut: 1, herd: 0 });
    expect(outageResult(OUTAGE, facts)).not.toHaveProperty('lastBack');
  });

  it('leaves out pods that were deleted', () => {
    const facts = ordered(
      started('a', 0),
      endpoint('a', 5000, true),
      { at: 80_000, pod: 'a', kind: 'deleted', gracePeriodSeconds: 30 },
      endpoint('a', 80_000, false),
    );
    expect(outageResult(OUTAGE, facts).hit).toBe(0);
  });
});
