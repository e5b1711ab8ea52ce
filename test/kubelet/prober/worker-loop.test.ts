import { describe, expect, it } from 'vitest';

import type { PodStatus, Probe } from '../../../src/api/index.js';
import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { ResultsManager } from '../../../src/kubelet/prober/results-manager.js';
import { newWorker } from '../../../src/kubelet/prober/worker.js';
import { WorkerLoop } from '../../../src/kubelet/prober/worker-loop.js';
import type { Event, ProbeType } from '../../../src/trace/event.js';
import {
  buildContainer,
  buildContainerStatus,
  buildPod,
  buildProbe,
  terminated,
} from '../../helpers/builders.js';
import { type Answer, FakeProber } from '../../helpers/fake-prober.js';

const ID = 'test://app-1';

interface RigOptions {
  readonly probeType?: ProbeType;
  readonly spec?: Partial<Probe>;
  readonly answers?: Answer[];
  readonly takes?: number;
  /** Milliseconds since the kubelet's start; an hour by default. */
  readonly age?: number;
  readonly seed?: number;
}

/** A worker on a clock that starts at 0, with a running container. */
function createRig(options: RigOptions = {}) {
  const { probeType = 'readiness', age = 3_600_000, seed = 1 } = options;
  const clock = new VirtualClock(seed, 0);
  const prober = new FakeProber(clock, options.answers, options.takes);
  const results = new ResultsManager(() => undefined);
  const events: (Event & { readonly at: number })[] = [];
  let status: PodStatus | undefined = {
    phase: 'Running',
    containerStatuses: [buildContainerStatus({ started: probeType !== 'startup' })],
  };
  let ended = 0;
  const loop = new WorkerLoop({
    clock,
    prober,
    results,
    worker: newWorker(probeType, buildPod(), buildContainer(), buildProbe(options.spec)),
    kubeletStart: -age,
    getPodStatus: () => status,
    emit: (event) => events.push({ ...event, at: clock.now() }),
    onEnd: () => ended++,
  });
  return {
    clock,
    prober,
    results,
    events,
    loop,
    setStatus: (next: PodStatus | undefined): void => {
      status = next;
    },
    ended: () => ended,
    /** The worker's states, each with its time. */
    states: () =>
      events.flatMap((event) => (event.kind === 'worker' ? [`${event.at} ${event.state}`] : [])),
  };
}

describe('the ticks of a worker', () => {
  it('come at once and then each period', async () => {
    const { clock, prober, loop } = createRig({ spec: { periodSeconds: 10 } });
    loop.start();
    await clock.advance(30_000);
    expect(prober.attempts).toEqual([0, 10_000, 20_000, 30_000]);
  });

  it('keep their phase when attempts take long, and are dropped during an attempt', async () => {
    const { clock, prober, loop } = createRig({ spec: { periodSeconds: 1 }, takes: 2_500 });
    loop.start();
    await clock.advance(9_000);
    expect(prober.attempts).toEqual([0, 2_500, 5_000, 7_500]);
    await clock.advance(1_000);
    expect(prober.attempts.at(-1)).toBe(10_000);
  });

  it.each<[string, number, boolean]>([
    ['younger than a period', 9_999, true],
    ['as old as a period', 10_000, false],
  ])('under a kubelet %s start with random jitter: %s', async (_, age, jitters) => {
    const { clock, prober, loop } = createRig({ spec: { periodSeconds: 10 }, age });
    loop.start();
    await clock.advance(10_000);
    const [first] = prober.attempts;
    expect(first! > 0).toBe(jitters);
    expect(first).toBeLessThan(10_000);
    await clock.advance(10_000);
    expect(prober.attempts[1]).toBe(first! + 10_000);
  });

  it('keep their phase when earlier ticks found nothing to probe', async () => {
    const { clock, prober, loop, setStatus } = createRig({ spec: { periodSeconds: 10 } });
    setStatus(undefined);
    loop.start();
    await clock.advance(15_000);
    setStatus({ containerStatuses: [buildContainerStatus({ started: true })] });
    await clock.advance(10_000);
    expect(prober.attempts).toEqual([20_000]);
  });
});

describe('a manual trigger', () => {
  it('makes the worker probe at once and restarts its period', async () => {
    const { clock, prober, loop } = createRig({ spec: { periodSeconds: 10 } });
    loop.start();
    await clock.advance(4_000);
    loop.trigger('kubelet');
    await clock.advance(16_000);
    expect(prober.attempts).toEqual([0, 4_000, 14_000]);
  });

  it('waits while the worker probes, and two triggers cause one attempt', async () => {
    const { clock, prober, loop } = createRig({ spec: { periodSeconds: 10 }, takes: 3_000 });
    loop.start();
    await clock.advance(1_000);
    loop.trigger('kubelet');
    loop.trigger('user');
    await clock.advance(8_000);
    expect(prober.attempts).toEqual([0, 3_000]);
  });

  it('before the first tick causes an attempt right after it', async () => {
    const { clock, prober, loop } = createRig({ spec: { periodSeconds: 10 }, age: 0 });
    loop.start();
    loop.trigger('kubelet');
    await clock.advance(10_000);
    expect(prober.attempts).toHaveLength(2);
    expect(prober.attempts[1]).toBe(prober.attempts[0]);
  });

  it('is reported with the attempt that it causes', async () => {
    const { clock, loop, events } = createRig();
    loop.start();
    await clock.advance(1_000);
    loop.trigger('user');
    await clock.advance(1_000);
    const attempts = events.filter((event) => event.kind === 'attempt');
    expect(attempts.map(({ attempt, trigger }) => [attempt, trigger])).toEqual([
      [1, undefined],
      [2, 'user'],
    ]);
  });

  it('is handled before or after a waiting tick at random', async () => {
    const order = new Set<string>();
    for (let seed = 1; seed <= 20; seed++) {
      const rig = createRig({ spec: { periodSeconds: 1 }, takes: 1_500, seed });
      rig.loop.start();
      await rig.clock.advance(1_200);
      rig.loop.trigger('kubelet');
      rig.prober.takes = 100;
      await rig.clock.advance(800);
      const [, second] = rig.events.filter((event) => event.kind === 'attempt');
      order.add(second?.trigger ?? 'tick');
    }
    expect(order).toEqual(new Set(['tick', 'kubelet']));
  });
});

describe('the result of an attempt', () => {
  it('is set at its threshold and reported', async () => {
    const spec = { periodSeconds: 10, failureThreshold: 2 };
    const { clock, loop, events, results } = createRig({ spec, answers: ['failure'], takes: 40 });
    loop.start();
    await clock.advance(15_000);
    expect(results.get(ID)).toBe('failure');
    const done = events.filter((event) => event.kind === 'attemptDone');
    const common = { latency: 40, lastResult: 'failure', threshold: 2, tries: 1, containerID: ID };
    expect(done).toMatchObject([
      { ...common, attempt: 1, at: 40, resultRun: 1, nextTick: 10_000 },
      { ...common, attempt: 2, at: 10_040, resultRun: 2, nextTick: 20_000, set: 'failure' },
    ]);
    expect(done[0]).toMatchObject({ set: undefined });
  });

  it('does not count when the attempt had an error', async () => {
    const spec = { periodSeconds: 1, failureThreshold: 2 };
    const answers: Answer[] = ['success', 'failure', 'error', 'failure'];
    const { clock, loop, events, results } = createRig({ spec, answers });
    loop.start();
    await clock.advance(2_000);
    expect(results.get(ID)).toBe('success');
    expect(events.filter((event) => event.kind === 'attemptDone').at(-1)).toMatchObject({
      result: 'unknown',
      error: 'no',
      lastResult: 'failure',
      resultRun: 1,
    });
    await clock.advance(1_000);
    expect(results.get(ID)).toBe('failure');
  });

  it.each<[ProbeType, Answer, string[]]>([
    ['liveness', 'failure', ['0 probing', '0 onHold']],
    ['startup', 'success', ['0 probing', '0 onHold']],
    ['readiness', 'failure', ['0 probing']],
    ['liveness', 'success', ['0 probing']],
  ])('%s, %s: the worker states are %j', async (probeType, answer, states) => {
    const rig = createRig({ probeType, spec: { failureThreshold: 1 }, answers: [answer] });
    rig.loop.start();
    await rig.clock.advance(5_000);
    expect(rig.states()).toEqual(states);
  });

  it('is reported with its result run when it puts the worker on hold', async () => {
    const spec = { periodSeconds: 1, failureThreshold: 3 };
    const rig = createRig({ probeType: 'liveness', spec, answers: ['failure'] });
    rig.loop.start();
    await rig.clock.advance(5_000);
    const done = rig.events.filter((event) => event.kind === 'attemptDone');
    expect(done.map(({ resultRun }) => resultRun)).toEqual([1, 2, 3]);
  });
});

describe('a worker stops', () => {
  it('when stop() is called, and its result is removed', async () => {
    const { clock, loop, results, prober, ended, states } = createRig();
    loop.start();
    await clock.advance(1_000);
    loop.stop();
    loop.stop();
    await clock.advance(60_000);
    expect([results.get(ID), ended()]).toEqual([undefined, 1]);
    expect(prober.attempts).toEqual([0]);
    expect(states().at(-1)).toBe('1000 stopped');
  });

  it('after the current attempt when stop() is called during it', async () => {
    const { clock, loop, events, ended } = createRig({ takes: 500 });
    loop.start();
    await clock.advance(100);
    loop.stop();
    await clock.advance(100);
    expect(ended()).toBe(0);
    await clock.advance(1_000);
    expect(ended()).toBe(1);
    expect(events.map(({ kind, at }) => `${at} ${kind}`).slice(-2)).toEqual([
      '500 attemptDone',
      '500 worker',
    ]);
  });

  it('after one attempt when stop() is called before its first tick', async () => {
    const { clock, loop, prober, ended } = createRig({ age: 0 });
    loop.start();
    loop.stop();
    await clock.advance(10_000);
    expect([prober.attempts.length, ended()]).toEqual([1, 1]);
  });

  it('when its container has exited for good', async () => {
    const { clock, loop, setStatus, ended } = createRig({ spec: { periodSeconds: 1 } });
    loop.start();
    await clock.advance(1_500);
    const status = buildContainerStatus({ state: terminated(0) });
    setStatus({ phase: 'Succeeded', containerStatuses: [status] });
    await clock.advance(1_000);
    expect(ended()).toBe(1);
  });

  it.each<[string, RigOptions, number]>([
    ['before it has begun', { age: 0 }, 0],
    ['in the midst of an attempt', { takes: 500 }, 1],
  ])('at once when it is halted %s', async (_, options, attempts) => {
    const { clock, loop, prober, results, events, ended } = createRig(options);
    loop.start();
    await clock.advance(1);
    loop.halt();
    expect(ended()).toBe(1);
    await clock.advance(60_000);
    expect(prober.attempts).toHaveLength(attempts);
    expect(results.get(ID)).toBeUndefined();
    expect(events.filter((event) => event.kind === 'attemptDone')).toEqual([]);
  });
});
