import { describe, expect, it } from 'vitest';

import { seeded } from '../../../src/clock/clock.js';
import type { PodFact } from '../../../src/rollout/traffic/pod-fact.js';
import {
  simulateTraffic,
  type TrafficOptions,
  type TrafficResult,
} from '../../../src/rollout/traffic/traffic.js';
import { type Faults, NO_FAULTS } from '../../../src/sim/faults.js';

const READY = { ready: true, serving: true, terminating: false };
const DRAINING = { ready: false, serving: true, terminating: true };
const UNREADY = { ready: false, serving: false, terminating: false };

const exactly = (ms: number): { from: number; to: number } => ({ from: ms, to: ms });

const OPTIONS: TrafficOptions = {
  rate: 100,
  from: 0,
  to: 60_000,
  serviceTime: exactly(50),
  keepAlive: false,
  onTerm: 'close',
  propagation: exactly(1000),
  nodes: 1,
  random: seeded(1),
};

function run(facts: readonly PodFact[], options: Partial<TrafficOptions> = {}): TrafficResult {
  return simulateTraffic(facts, { ...OPTIONS, random: seeded(1), ...options });
}

/** A pod that has served for long. */
function serving(pod: string): PodFact[] {
  return [
    { at: -20_000, pod, kind: 'started' },
    { at: -10_000, pod, kind: 'endpoint', conditions: READY },
  ];
}

interface End {
  readonly at: number;
  readonly sleep?: number;
  readonly stop: number;
  readonly gracePeriodSeconds?: number;
}

/** A deleted pod: the sleep of preStop, then TERM, then the app's end or KILL. */
function deleted(pod: string, { at, sleep = 0, stop, gracePeriodSeconds = 30 }: End): PodFact[] {
  const kill = at + gracePeriodSeconds * 1000;
  const end = at + sleep + stop;
  return [
    { at, pod, kind: 'deleted', gracePeriodSeconds },
    { at, pod, kind: 'endpoint', conditions: DRAINING },
    { at: at + sleep, pod, kind: 'term' },
    { at: Math.min(kill, end), pod, kind: 'ended', killed: end > kill },
    { at: Math.min(kill, end), pod, kind: 'endpoint' },
  ];
}

const ordered = (...facts: readonly PodFact[][]): PodFact[] =>
  facts.flat().sort((a, b) => a.at - b.at);

const counts = ({ losses }: TrafficResult): Record<string, number> =>
  Object.fromEntries(losses.map(({ cause, count }) => [cause, count]));

describe('simulateTraffic', () => {
  it('loses nothing while the pods serve', () => {
    const result = run(ordered(serving('a'), serving('b')));
    expect(result).toMatchObject({ requests: 6000, failed: 0, waited: 0, losses: [] });
  });

  it('counts connections that are refused between TERM and the removal of the endpoint', () => {
    const facts = ordered(serving('a'), serving('b'), deleted('b', { at: 10_000, stop: 2000 }));
    const { losses, failed } = run(facts);
    // Half of the 100 requests of that second.
    expect(failed).toBeGreaterThan(35);
    expect(failed).toBeLessThan(65);
    expect(losses).toEqual([
      {
        cause: 'refusedAfterTerm',
        count: failed,
        from: expect.any(Number) as number,
        to: expect.any(Number) as number,
        pods: 1,
        remedy: { kind: 'preStopSleep', seconds: 2 },
      },
    ]);
    expect(losses[0]?.from).toBeGreaterThanOrEqual(10_000);
    expect(losses[0]?.to).toBeLessThan(11_000);
  });

  it('loses nothing with the preStop sleep that it names', () => {
    const end = { at: 10_000, stop: 2000, sleep: 2000 };
    expect(run(ordered(serving('a'), serving('b'), deleted('b', end))).failed).toBe(0);
  });

  it('names the grace period that the sleep needs', () => {
    const end = { at: 10_000, stop: 2000, gracePeriodSeconds: 2 };
    const { losses } = run(ordered(serving('a'), serving('b'), deleted('b', end)));
    expect(losses[0]?.remedy).toEqual({ kind: 'preStopSleep', seconds: 2, gracePeriodSeconds: 4 });
  });

  it('cuts what is in flight when the container is killed, and names the grace period', () => {
    const end = { at: 10_000, sleep: 4000, stop: 9000, gracePeriodSeconds: 5 };
    const facts = ordered(serving('a'), serving('b'), deleted('b', end));
    const options = { serviceTime: exactly(4500), propagation: exactly(4000) };
    const { losses } = run(facts, options);
    expect(losses.map(({ cause }) => cause)).toEqual(['cutAtKill']);
    // Sent until 4 s after the deletion, with answers until 8.5 s after it.
    expect(losses[0]?.remedy).toEqual({ kind: 'gracePeriod', seconds: 9 });
    const longer = deleted('b', { ...end, gracePeriodSeconds: 9 });
    expect(run(ordered(serving('a'), serving('b'), longer), options).failed).toBe(0);
  });

  it('cuts what is in flight when the app ends at TERM without finishing it', () => {
    const end = { at: 10_000, sleep: 2000, stop: 10 };
    const facts = ordered(serving('a'), serving('b'), deleted('b', end));
    const { losses } = run(facts, { propagation: exactly(1990), rate: 10_000 });
    // Sent until 10 ms before TERM.
    expect(losses).toMatchObject([
      { cause: 'cutAtExit', remedy: { kind: 'finishRequests', seconds: 0.04 } },
    ]);
  });

  it('serves over kept connections after the removal, until the app ends', () => {
    const end = { at: 10_000, stop: 5000 };
    const facts = ordered(serving('a'), serving('b'), deleted('b', end));
    const kept = run(facts, { keepAlive: true, onTerm: 'serve' });
    expect(kept.afterRemoval).toBeGreaterThan(100);
    expect(counts(kept)).toEqual({ cutAtExit: expect.any(Number) as number });
    expect(kept.losses[0]?.remedy).toEqual({ kind: 'stopServingAtTerm' });
    const fresh = run(facts, { onTerm: 'serve' });
    expect(fresh).toMatchObject({ failed: 0, afterRemoval: 0 });
  });

  it('refuses fewer with kept connections, which stay with the other pods', () => {
    const facts = ordered(serving('a'), serving('b'), deleted('b', { at: 10_000, stop: 2000 }));
    expect(run(facts, { keepAlive: true }).failed).toBeLessThan(run(facts).failed / 3);
  });

  it('goes to a terminating pod that serves when none is ready', () => {
    const end = { at: 10_000, sleep: 5000, stop: 100 };
    const facts = ordered(serving('a'), deleted('a', end));
    const result = run(facts, { to: 15_000 });
    expect(result.failed).toBe(0);
  });

  it('refuses all while there is no endpoint', () => {
    const facts = ordered(serving('a'), [
      { at: 10_000, pod: 'a', kind: 'endpoint', conditions: UNREADY },
      { at: 20_000, pod: 'a', kind: 'endpoint', conditions: READY },
    ]);
    expect(counts(run(facts))).toEqual({ noEndpoint: 1000 });
  });

  it('names a readiness probe where a pod is ready before it listens', () => {
    const facts: PodFact[] = [
      { at: 0, pod: 'a', kind: 'started', behavior: { closedUntil: exactly(10_000) } },
      { at: 1, pod: 'a', kind: 'endpoint', conditions: READY },
    ];
    const { losses } = run(facts, { propagation: exactly(0), from: 1000 });
    expect(losses).toMatchObject([
      { cause: 'refusedBeforeListening', count: 900, remedy: { kind: 'readinessProbe' } },
    ]);
  });

  it('tells a restart from a crash', () => {
    const restart: PodFact[] = [
      { at: 10_000, pod: 'a', kind: 'term' },
      { at: 10_020, pod: 'a', kind: 'ended', killed: false },
      { at: 11_000, pod: 'a', kind: 'started' },
      { at: 20_000, pod: 'a', kind: 'ended', killed: false },
    ];
    const { losses } = run(ordered(serving('a'), restart), { to: 21_000 });
    expect(losses).toMatchObject([
      { cause: 'refusedDuringRestart', count: 200 },
      { cause: 'cutAtCrash', count: 4 },
      { cause: 'cutAtRestart', count: 2 },
    ]);
  });

  it('counts late answers, timeouts and errors', () => {
    const behavior = { hangsAt: [{ from: 30_000, to: 35_000 }], failRate: 0.1 };
    const facts: PodFact[] = [
      { at: -20_000, pod: 'a', kind: 'started', behavior },
      { at: -10_000, pod: 'a', kind: 'endpoint', conditions: READY },
    ];
    const result = run(facts, { timeout: 1000 });
    // From 50 ms before the hang until a second before its end.
    expect(counts(result)['timedOut']).toBeGreaterThan(400);
    expect(counts(result)['errorAnswer']).toBeGreaterThan(450);
    expect(result.waited).toBeGreaterThan(80);
    expect(result.longestWait).toBeLessThanOrEqual(1000);
    const sum = [...result.failedBySecond.values()].reduce((all, count) => all + count, 0);
    expect(sum).toBe(result.failed);
  });

  it('fails the share of requests that need what is down, with its cause', () => {
    const faults: Faults = {
      ...NO_FAULTS,
      outages: [{ name: 'db', window: { from: 10_000, to: 20_000 } }],
      dependencies: [{ on: 'db', target: { kind: 'requests', share: 0.4 } }],
    };
    const { losses } = run(serving('a'), { faults });
    expect(losses).toMatchObject([{ cause: 'dependencyDown' }]);
    expect(losses[0]?.count).toBeGreaterThan(350);
    expect(losses[0]?.count).toBeLessThan(450);
  });

  it('answers late while the app is slow', () => {
    const slow = [{ amount: 3, window: { from: 10_000, to: 20_000 } }];
    const result = run(serving('a'), { faults: { ...NO_FAULTS, slow } });
    expect(result).toMatchObject({ failed: 0, waited: 1000, longestWait: 150 });
  });
});
