import { describe, expect, it } from 'vitest';

import type { Container, PodStatus } from '../../../src/api/index.js';
import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { ProberManager } from '../../../src/kubelet/prober/prober-manager.js';
import { behaviorOf } from '../../../src/kubelet/release.js';
import type { Event, EventOf } from '../../../src/trace/event.js';
import {
  buildContainer,
  buildContainerStatus,
  buildPod,
  buildProbe,
} from '../../helpers/builders.js';
import { type Answer, FakeProber } from '../../helpers/fake-prober.js';

const ID = 'test://app-1';

interface RigOptions {
  readonly isOn?: boolean;
  readonly answers?: Answer[];
  readonly takes?: number;
  readonly started?: boolean;
}

/** A prober manager on a clock that starts at 0, with the container `app`, which runs. */
function createRig({ isOn = true, answers, takes, started = true }: RigOptions = {}) {
  const clock = new VirtualClock(1, 0);
  const prober = new FakeProber(clock, answers, takes);
  const events: Event[] = [];
  let status: PodStatus = {
    phase: 'Running',
    containerStatuses: [buildContainerStatus({ containerID: ID, started })],
  };
  const manager = new ProberManager({
    clock,
    prober,
    behavior: behaviorOf({ version: '1.37', featureGates: { MutableContainerProbes: isOn } }),
    kubeletStart: -3_600_000,
    getPodStatus: () => status,
    onUpdate: () => undefined,
    emit: (event) => events.push(event),
  });
  const ofKind = <K extends Event['kind']>(kind: K): EventOf<K>[] =>
    events.filter((event): event is EventOf<K> => event.kind === kind);
  return {
    clock,
    prober,
    manager,
    /** Syncs the pod with these probes. */
    sync: (probes: Partial<Container>): boolean => {
      const pod = buildPod({ spec: { containers: [buildContainer(probes)] } });
      const isRemoved = manager.reconcilePod(pod);
      manager.addPod(pod);
      return isRemoved;
    },
    replaceContainer: (containerID: string): void => {
      const containerStatuses = [buildContainerStatus({ containerID, started: false })];
      status = { phase: 'Running', containerStatuses };
    },
    done: () => ofKind('attemptDone'),
    messages: () => ofKind('event').map(({ reason, message }) => `${reason} ${message}`),
    runs: () => ofKind('attemptDone').map(({ resultRun }) => resultRun),
  };
}

const ofPath = (path: string) => ({
  ...buildProbe({ periodSeconds: 10, failureThreshold: 5 }),
  exec: { command: [path] },
});
const probe = ofPath('/a');

describe('with MutableContainerProbes', () => {
  it.each<[string, object, number[], number[]]>([
    [
      'a shorter period counts from the end of the last attempt',
      { periodSeconds: 4 },
      [0, 10, 14, 18],
      [1, 2, 3, 4],
    ],
    [
      'a period that is over by then makes the next attempt due',
      { periodSeconds: 1 },
      [0, 10, 13, 14],
      [1, 2, 3, 4],
    ],
    ['a longer period counts too', { periodSeconds: 15 }, [0, 10, 25], [1, 2, 3]],
    ['a threshold starts the count over', { failureThreshold: 4 }, [0, 10, 20], [1, 2, 1]],
    [
      'a delay has no effect once there was an attempt',
      { initialDelaySeconds: 600 },
      [0, 10, 20],
      [1, 2, 3],
    ],
    [
      'a grace period changes nothing',
      { terminationGracePeriodSeconds: 1 },
      [0, 10, 20],
      [1, 2, 3],
    ],
    [
      'a timeout makes an attempt due, and starts the count over',
      { timeoutSeconds: 7 },
      [0, 10, 13, 23],
      [1, 2, 1, 2],
    ],
    ['a handler does too', { exec: { command: ['/b'] } }, [0, 10, 13, 23], [1, 2, 1, 2]],
  ])('%s', async (_, change, attempts, runs) => {
    const { clock, prober, sync, runs: counted, done } = createRig({ answers: ['failure'] });
    sync({ readinessProbe: probe });
    await clock.advance(13_000);
    sync({ readinessProbe: { ...probe, ...change } });
    sync({ readinessProbe: { ...probe, ...change } });
    await clock.advance((attempts.at(-1) ?? 0) * 1000 - 13_000);
    expect(prober.attempts.map((at) => at / 1000)).toEqual(attempts);
    expect(counted()).toEqual(runs);
    expect(done().every(({ set }) => set === undefined)).toBe(true);
  });

  it('an attempt whose handler changes ends, does not count, and the next one is made at once', async () => {
    const { clock, prober, manager, sync, done } = createRig({
      answers: ['failure', 'success'],
      takes: 5000,
    });
    sync({ readinessProbe: { ...probe, failureThreshold: 1 } });
    await clock.advance(2000);
    sync({ readinessProbe: { ...ofPath('/b'), failureThreshold: 1 } });
    await clock.advance(5000);
    expect(prober.attempts).toEqual([0, 2000]);
    expect(done().map(({ error, resultRun }) => [error, resultRun])).toEqual([
      ['canceled: the probe was changed', 0],
      [undefined, 1],
    ]);
    expect(manager.readiness.get(ID)).toBe('success');
  });

  it('an attempt whose period changes goes on, and the new period begins at its end', async () => {
    const { clock, prober, sync } = createRig({ takes: 3000 });
    sync({ readinessProbe: probe });
    await clock.advance(1000);
    sync({ readinessProbe: { ...probe, periodSeconds: 20 } });
    await clock.advance(30_000);
    expect(prober.attempts).toEqual([0, 23_000]);
  });

  it('a readiness probe that is added starts with a failure, one of liveness with a success', async () => {
    const { clock, manager, sync, messages } = createRig({ takes: 1000 });
    sync({});
    await clock.advance(5000);
    expect(sync({ readinessProbe: probe, livenessProbe: probe })).toBe(false);
    await clock.advance(0);
    expect([manager.readiness.get(ID), manager.liveness.get(ID)]).toEqual(['failure', 'success']);
    expect(messages()).toEqual([
      'ContainerProbeChanged Readiness probe of container app added',
      'ContainerProbeChanged Liveness probe of container app added',
    ]);
  });

  it('a probe that is removed has no result, also not that of an attempt that runs', async () => {
    const { clock, prober, manager, sync, messages } = createRig({
      answers: ['failure'],
      takes: 1000,
    });
    sync({ readinessProbe: { ...probe, failureThreshold: 1 } });
    await clock.advance(10_500);
    expect(sync({})).toBe(true);
    await clock.advance(60_000);
    expect(manager.readiness.get(ID)).toBeUndefined();
    expect(prober.attempts).toEqual([0, 10_000]);
    expect(messages()).toEqual(['ContainerProbeChanged Readiness probe of container app removed']);
  });

  it('a startup probe that is added leaves a started container started, and probes the next one', async () => {
    const { clock, prober, manager, sync, replaceContainer } = createRig();
    sync({});
    await clock.advance(5000);
    sync({ startupProbe: probe });
    await clock.advance(30_000);
    expect(manager.startup.get(ID)).toBe('success');
    expect(prober.attempts).toEqual([]);
    replaceContainer('test://app-2');
    await clock.advance(10_000);
    expect(prober.attempts).toHaveLength(1);
  });

  it('a changed delay counts from the next container on', async () => {
    const { clock, prober, sync, replaceContainer } = createRig({ started: false });
    sync({ startupProbe: probe });
    await clock.advance(5000);
    sync({ startupProbe: { ...probe, initialDelaySeconds: 3600 } });
    replaceContainer('test://app-2');
    await clock.advance(60_000);
    expect(prober.attempts).toEqual([0]);
  });
});

it('without MutableContainerProbes a running pod keeps its probes', async () => {
  const { clock, prober, sync, messages } = createRig({ isOn: false });
  sync({ readinessProbe: probe });
  await clock.advance(13_000);
  expect(sync({ readinessProbe: { ...ofPath('/b'), periodSeconds: 1 } })).toBe(false);
  expect(sync({})).toBe(false);
  await clock.advance(8000);
  expect(prober.attempts).toEqual([0, 10_000, 20_000]);
  expect(messages()).toEqual([]);
});
