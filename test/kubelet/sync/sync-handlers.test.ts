import { describe, expect, it } from 'vitest';

import type { Pod } from '../../../src/api/index.js';
import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { Backoff } from '../../../src/kubelet/containers/backoff.js';
import { ContainerGC } from '../../../src/kubelet/containers/container-gc.js';
import { ProberManager } from '../../../src/kubelet/prober/prober-manager.js';
import { StatusManager } from '../../../src/kubelet/status/status-manager.js';
import type { PodLifecycleEvent } from '../../../src/kubelet/sync/pleg.js';
import { PodCache } from '../../../src/kubelet/sync/pod-cache.js';
import { PodWorkers } from '../../../src/kubelet/sync/pod-workers.js';
import { SyncHandlers } from '../../../src/kubelet/sync/sync-handlers.js';
import { WorkQueue } from '../../../src/kubelet/sync/work-queue.js';
import type { ProbeType, Result } from '../../../src/trace/event.js';
import {
  buildContainer,
  buildContainerStatus,
  buildExited,
  buildPod,
  buildProbe,
  buildRuntimePodStatus,
  condition,
} from '../../helpers/builders.js';
import { FakeProber } from '../../helpers/fake-prober.js';
import { FakeRuntime } from '../../helpers/fake-runtime.js';

/** Sync handlers over pod workers whose steps are only recorded: `update sync uid-1`, `terminate uid-1`, `last uid-1`. */
function createRig() {
  const clock = new VirtualClock(1, 0);
  const runtime = new FakeRuntime(clock);
  const cache = new PodCache(clock);
  const workQueue = new WorkQueue(clock);
  const pods = new Map<string, Pod>();
  const crashLoopBackOff = new Backoff(clock, 10_000, 300_000);
  const steps: string[] = [];
  const pastDeadline = new Set<string>();
  const step = (text: string): Promise<void> => Promise.resolve(void steps.push(text));
  const podWorkers = new PodWorkers({
    clock,
    workQueue,
    cache,
    requeuesAtBackOffEnd: true,
    cancelSync: () => undefined,
    syncer: {
      syncPod: async (type, { metadata }) => {
        await step(`${type} ${metadata.uid}`);
        return { isTerminal: false, relist: false };
      },
      syncTerminatingPod: ({ metadata }) => step(`terminate ${metadata.uid}`),
      syncTerminatedPod: ({ metadata }) => step(`last ${metadata.uid}`),
    },
    requestRelist: () => undefined,
    onStatusError: () => undefined,
  });
  const statusManager = new StatusManager(
    clock,
    (uid) => pods.get(uid),
    () => undefined,
  );
  const proberManager = new ProberManager({
    clock,
    prober: new FakeProber(clock),
    kubeletStart: 0,
    getPodStatus: (uid) => statusManager.getPodStatus(uid),
    onUpdate: () => undefined,
    emit: () => undefined,
  });
  const gc = new ContainerGC(clock, runtime, (uid) => podWorkers.shouldPodContentBeRemoved(uid));
  const handlers = new SyncHandlers({
    pods,
    podWorkers,
    proberManager,
    statusManager,
    cache,
    workQueue,
    crashLoopBackOff,
    gc,
    pastActiveDeadline: ({ metadata }) => pastDeadline.has(metadata.uid),
  });
  /** The steps since the last call, with an up-to-date cache. */
  const done = async (): Promise<string[]> => {
    for (let round = 0; round < 3; round++) {
      cache.updateTime(clock.now() + 1);
      await clock.advance(10);
    }
    return steps.splice(0);
  };
  /** Adds a pod and waits for its first sync. */
  const added = async (pod: Pod = buildPod()): Promise<Pod> => {
    handlers.handlePodAddition(pod);
    await done();
    return pod;
  };
  const rig = { clock, runtime, cache, pods, podWorkers, statusManager, proberManager };
  return { ...rig, workQueue, crashLoopBackOff, handlers, pastDeadline, done, added };
}

const marked = buildPod({
  metadata: { deletionTimestamp: 0, deletionGracePeriodSeconds: 1 },
});

describe('a config update', () => {
  it('that adds a pod stores and creates it', async () => {
    const { handlers, pods, done } = createRig();
    handlers.handlePodAddition(buildPod());
    expect(pods.get('uid-1')).toEqual(buildPod());
    expect(await done()).toEqual(['create uid-1']);
  });

  it('that changes a pod stores the new version and syncs it', async () => {
    const { handlers, pods, added, done } = createRig();
    await added();
    const changed = buildPod({ metadata: { labels: { a: 'b' } } });
    handlers.handlePodUpdate(changed);
    expect(pods.get('uid-1')).toBe(changed);
    expect(await done()).toEqual(['update uid-1']);
  });

  it('that marks a pod for deletion terminates it', async () => {
    const { handlers, added, done } = createRig();
    await added();
    handlers.handlePodUpdate(marked);
    expect(await done()).toEqual(['terminate uid-1', 'last uid-1']);
  });

  it('that removes a pod drops and terminates it', async () => {
    const { handlers, pods, added, done } = createRig();
    handlers.handlePodRemoval(await added());
    expect([...pods.values()]).toEqual([]);
    expect(await done()).toEqual(['terminate uid-1', 'last uid-1']);
  });
});

describe('a reconciled pod', () => {
  const gated = { readinessGates: [{ conditionType: 'example.com/up' }] };
  const up = condition('example.com/up', 'True');
  const ready = [condition('ContainersReady', 'True'), condition('Ready', 'False')];

  it.each<[string, Pod, string[]]>([
    ['without readiness gates is only stored', buildPod(), []],
    [
      'is synced when its readiness gate has become True',
      buildPod({
        spec: gated,
        status: {
          phase: 'Running',
          conditions: [...ready, up],
          containerStatuses: [buildContainerStatus({ ready: true })],
        },
      }),
      ['sync uid-1'],
    ],
    [
      'is only stored when its Ready condition matches its gate',
      buildPod({
        spec: gated,
        status: {
          phase: 'Running',
          conditions: [
            condition('ContainersReady', 'True'),
            condition('Ready', 'False', {
              reason: 'ReadinessGatesNotReady',
              message:
                'corresponding condition of pod readiness gate "example.com/up" does not exist.',
            }),
          ],
          containerStatuses: [buildContainerStatus({ ready: true })],
        },
      }),
      [],
    ],
  ])('%s', async (_, pod, steps) => {
    const { handlers, pods, added, done } = createRig();
    await added();
    handlers.handlePodReconcile(pod);
    expect(pods.get('uid-1')).toBe(pod);
    expect(await done()).toEqual(steps);
  });
});

describe('onSyncTick', () => {
  it.each<[string, number, boolean, string[]]>([
    ['syncs a pod that is due', 999, false, ['sync a']],
    ['does not sync a pod that is not due', 1000, false, []],
    ['syncs a pod past its active deadline at once', 5000, true, ['sync a']],
  ])('%s', async (_, delay, isPast, steps) => {
    const { clock, handlers, workQueue, pastDeadline, added, done } = createRig();
    await added(buildPod({ metadata: { uid: 'a' } }));
    await added(buildPod({ metadata: { uid: 'b' } }));
    workQueue.enqueue('a', delay);
    workQueue.enqueue('b', 5000);
    if (isPast) pastDeadline.add('a');
    await clock.advance(1000);
    handlers.onSyncTick();
    expect(await done()).toEqual(steps);
  });

  it('drops a due pod that no longer exists', async () => {
    const { clock, handlers, workQueue, done } = createRig();
    workQueue.enqueue('gone', 0);
    await clock.advance(1000);
    handlers.onSyncTick();
    expect(await done()).toEqual([]);
  });
});

describe('a PLEG event', () => {
  it.each<[string, PodLifecycleEvent, string[]]>([
    [
      'ContainerStarted syncs its pod',
      { uid: 'uid-1', type: 'ContainerStarted', id: 'x' },
      ['sync uid-1'],
    ],
    [
      'ContainerDied syncs its pod',
      { uid: 'uid-1', type: 'ContainerDied', id: 'x' },
      ['sync uid-1'],
    ],
    ['ContainerRemoved syncs nothing', { uid: 'uid-1', type: 'ContainerRemoved', id: 'x' }, []],
    ['PodSync syncs its pod', { uid: 'uid-1', type: 'PodSync' }, ['sync uid-1']],
    ['of an unknown pod syncs nothing', { uid: 'b', type: 'ContainerStarted' }, []],
  ])('%s', async (_, event, steps) => {
    const { handlers, added, done } = createRig();
    await added();
    handlers.onPlegEvent(event);
    expect(await done()).toEqual(steps);
  });

  it.each<[string, PodLifecycleEvent['type'], boolean, string[]]>([
    ['ContainerDied removes older containers of that name', 'ContainerDied', true, ['a-1']],
    ['ContainerStarted removes nothing', 'ContainerStarted', true, []],
    ["ContainerDied removes nothing when the pod's status is an error", 'ContainerDied', false, []],
  ])('%s', async (_, type, isTold, removed) => {
    const { clock, handlers, runtime, cache, added, done } = createRig();
    await added();
    const containerStatuses = ['a-2', 'a-1'].map((id) => buildExited(1, { id, name: 'a' }));
    if (isTold) {
      const status = buildRuntimePodStatus({ containerStatuses });
      cache.set('uid-1', { kind: 'status', status }, clock.now());
    } else cache.set('uid-1', { kind: 'error', message: 'down' }, clock.now());
    handlers.onPlegEvent({ uid: 'uid-1', type, id: 'a-2' });
    await done();
    expect(runtime.calls.map((call) => call.replace(/^\d+ remove /, ''))).toEqual(removed);
  });
});

describe('a changed probe result', () => {
  const running = [buildContainerStatus({ ready: false, started: false })];
  const status = { phase: 'Running', containerStatuses: running } as const;

  it.each<[ProbeType, Result, string[], { ready: boolean; started: boolean }]>([
    ['liveness', 'failure', ['sync uid-1'], { ready: false, started: false }],
    ['liveness', 'success', [], { ready: false, started: false }],
    ['liveness', 'unknown', [], { ready: false, started: false }],
    ['readiness', 'success', ['sync uid-1'], { ready: true, started: false }],
    ['readiness', 'failure', ['sync uid-1'], { ready: false, started: false }],
    ['startup', 'success', ['sync uid-1'], { ready: false, started: true }],
    ['startup', 'failure', ['sync uid-1'], { ready: false, started: false }],
    ['startup', 'unknown', ['sync uid-1'], { ready: false, started: false }],
  ])('%s %s', async (probeType, result, steps, expected) => {
    const { handlers, statusManager, added, done } = createRig();
    statusManager.setPodStatus(await added(), status);
    const update = { podUID: 'uid-1', containerID: 'test://app-1', result };
    handlers.onProbeUpdate(probeType, update);
    expect(await done()).toEqual(steps);
    expect(statusManager.getPodStatus('uid-1')?.containerStatuses).toMatchObject([expected]);
  });

  it('of failure resets ready and started', async () => {
    const { handlers, statusManager, added } = createRig();
    const containerStatuses = [buildContainerStatus({ ready: true, started: true })];
    statusManager.setPodStatus(await added(), { phase: 'Running', containerStatuses });
    const update = { podUID: 'uid-1', containerID: 'test://app-1', result: 'failure' } as const;
    handlers.onProbeUpdate('readiness', update);
    handlers.onProbeUpdate('startup', update);
    expect(statusManager.getPodStatus('uid-1')?.containerStatuses).toMatchObject([
      { ready: false, started: false },
    ]);
  });

  it('of an unknown pod does nothing', async () => {
    const { handlers, done } = createRig();
    handlers.onProbeUpdate('liveness', { podUID: 'x', containerID: 'y', result: 'failure' });
    expect(await done()).toEqual([]);
  });
});

describe('onHousekeeping', () => {
  it('terminates pods that are not desired, and forgets them afterward', async () => {
    const { handlers, pods, podWorkers, statusManager, added, done } = createRig();
    statusManager.setPodStatus(await added(), { phase: 'Running' });
    pods.delete('uid-1');
    handlers.onHousekeeping();
    expect(statusManager.getPodStatus('uid-1')).toBeUndefined();
    expect(await done()).toEqual(['terminate uid-1', 'last uid-1']);
    expect(podWorkers.isPodKnownTerminated('uid-1')).toBe(true);
    handlers.onHousekeeping();
    expect(podWorkers.isPodKnownTerminated('uid-1')).toBe(false);
  });

  it('leaves desired pods alone', async () => {
    const { handlers, statusManager, added, done } = createRig();
    statusManager.setPodStatus(await added(), { phase: 'Running' });
    handlers.onHousekeeping();
    expect(await done()).toEqual([]);
    expect(statusManager.getPodStatus('uid-1')).toBeDefined();
  });

  it('stops the probes of terminated pods', async () => {
    const { clock, handlers, proberManager, added, done } = createRig();
    const pod = buildPod({
      spec: { containers: [buildContainer({ livenessProbe: buildProbe() })] },
    });
    await added(pod);
    proberManager.addPod(pod);
    await clock.advance(20_000);
    handlers.onHousekeeping();
    expect(proberManager.trigger('uid-1', 'app', 'liveness')).toBe(true);
    handlers.handlePodRemoval(pod);
    await done();
    handlers.onHousekeeping();
    await clock.advance(20_000);
    expect(proberManager.trigger('uid-1', 'app', 'liveness')).toBe(false);
  });

  it('restarts a pod that was added again during its termination', async () => {
    const { handlers, added, done } = createRig();
    const pod = await added();
    handlers.handlePodRemoval(pod);
    handlers.handlePodAddition(pod);
    expect(await done()).toEqual(['terminate uid-1', 'last uid-1']);
    handlers.onHousekeeping();
    expect(await done()).toEqual(['create uid-1']);
  });

  it.each<[string, Pod, boolean]>([
    ['whose API status is terminal', buildPod({ status: { phase: 'Failed' } }), false],
    ['whose cached status is terminal', buildPod(), true],
  ])('does not restart a pod %s', async (_, pod, ended) => {
    const { handlers, pods, statusManager, done } = createRig();
    pods.set(pod.metadata.uid, pod);
    if (ended) statusManager.setPodStatus(pod, { phase: 'Succeeded' });
    handlers.onHousekeeping();
    expect(await done()).toEqual([]);
  });

  it('creates a pod that has no worker', async () => {
    const { handlers, pods, done } = createRig();
    pods.set('uid-1', buildPod());
    handlers.onHousekeeping();
    expect(await done()).toEqual(['create uid-1']);
  });

  it('removes expired back-offs', async () => {
    const { clock, handlers, crashLoopBackOff } = createRig();
    crashLoopBackOff.next('a', 0);
    await clock.advance(600_000);
    handlers.onHousekeeping();
    expect(crashLoopBackOff.get('a')).toBe(10_000);
    await clock.advance(1);
    handlers.onHousekeeping();
    expect(crashLoopBackOff.get('a')).toBe(0);
  });
});
