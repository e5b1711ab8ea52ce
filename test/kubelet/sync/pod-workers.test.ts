import { describe, expect, it } from 'vitest';

import type { Pod } from '../../../src/api/index.js';
import { sleep } from '../../../src/clock/clock.js';
import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { PodCache } from '../../../src/kubelet/sync/pod-cache.js';
import type { SyncPodType } from '../../../src/kubelet/sync/pod-sync-status.js';
import { PodWorkers, type SyncPodOutcome } from '../../../src/kubelet/sync/pod-workers.js';
import { WorkQueue } from '../../../src/kubelet/sync/work-queue.js';
import { SyncError } from '../../../src/kubelet/sync-result.js';
import {
  buildPod,
  buildRuntimePodStatus,
  buildSandbox,
  buildStaticPod,
  type PodOverrides,
} from '../../helpers/builders.js';

/**
 * Pod workers on a clock that starts at 1 s, with a cache that is updated each 100 ms. `steps` has entries such as
 * `1000 sync web`, `1100 terminate web 30`, `1200 last web`.
 */
function createRig() {
  const clock = new VirtualClock(1, 1_000);
  const workQueue = new WorkQueue(clock);
  const cache = new PodCache(clock);
  const refresh = (): void => {
    cache.updateTime(clock.now());
    clock.setTimeout(refresh, 100);
  };
  refresh();
  const steps: string[] = [];
  const relisted: string[] = [];
  const recorded: string[] = [];
  /** The results of the steps; they may throw. */
  const script = {
    takes: 0,
    sync: (): SyncPodOutcome => ({ isTerminal: false, relist: false }),
    terminate: (): void => undefined,
    last: (): void => undefined,
  };
  const step = async (text: string): Promise<void> => {
    steps.push(`${clock.now()} ${text}`);
    if (script.takes > 0) await sleep(clock, script.takes);
  };
  const workers = new PodWorkers({
    clock,
    workQueue,
    cache,
    requeuesAtBackOffEnd: true,
    cancelSync: () => undefined,
    syncer: {
      syncPod: async (_, pod) => {
        await step(`sync ${pod.metadata.name}`);
        return script.sync();
      },
      syncTerminatingPod: async (pod, _, grace) => {
        await step(`terminate ${pod.metadata.name} ${grace}`);
        script.terminate();
      },
      syncTerminatedPod: async (pod) => {
        await step(`last ${pod.metadata.name}`);
        script.last();
      },
    },
    requestRelist: (uid) => relisted.push(uid),
    onStatusError: (pod, message) => recorded.push(`${pod.metadata.name}: ${message}`),
  });
  const update = (updateType: SyncPodType, pod: Pod, gracePeriodOverride?: number): void =>
    workers.updatePod({
      updateType,
      pod,
      ...(gracePeriodOverride === undefined ? {} : { gracePeriodOverride }),
    });
  /** The time at which the pod is due next, to 10 ms. */
  const due = async (uid = 'uid-1'): Promise<number> => {
    for (;;) {
      if (workQueue.getWork().has(uid)) return clock.now();
      await clock.advance(10);
    }
  };
  return { clock, cache, workers, steps, relisted, recorded, script, update, due };
}

const grace = { terminationGracePeriodSeconds: 30 };
const podOf = (overrides: PodOverrides = {}): Pod =>
  buildPod({ ...overrides, spec: { ...grace, ...overrides.spec } });
const staticPod = (uid: string): Pod =>
  buildStaticPod({
    metadata: { uid, name: 'web', annotations: { 'kubernetes.io/config.source': 'file', uid } },
    spec: grace,
  });

describe('a pod', () => {
  it('is synced when it is added and with each update, one step at a time', async () => {
    const { clock, steps, script, update } = createRig();
    script.takes = 500;
    update('create', podOf());
    await clock.advance(200);
    update('update', podOf());
    update('sync', podOf());
    await clock.advance(2_000);
    expect(steps).toEqual(['1000 sync web', '1600 sync web']);
  });

  it('is synced only with a status newer than its last step', async () => {
    const { clock, steps, update } = createRig();
    update('create', podOf());
    await clock.advance(50);
    update('sync', podOf());
    await clock.advance(2_000);
    expect(steps).toEqual(['1000 sync web', '1100 sync web']);
  });

  it('is relisted when its step requests it', async () => {
    const { clock, relisted, script, update } = createRig();
    update('create', podOf());
    await clock.advance(1_000);
    expect(relisted).toEqual([]);
    script.sync = () => ({ isTerminal: false, relist: true });
    update('sync', podOf());
    await clock.advance(1_000);
    expect(relisted).toEqual(['uid-1']);
  });

  it.each<[string, () => SyncPodOutcome, number, number]>([
    ['a successful step: 60 to 90 s', () => ({ isTerminal: false, relist: false }), 60_000, 90_000],
    [
      'a failed step: 10 to 15 s',
      () => {
        throw new SyncError('no');
      },
      10_000,
      15_000,
    ],
    [
      'a back-off until 21 s: 20 to 30 s',
      () => {
        throw new SyncError('no', 21_000);
      },
      20_000,
      30_000,
    ],
  ])('is due again after %s', async (_, sync, min, max) => {
    const { script, update, due } = createRig();
    script.sync = sync;
    update('create', podOf());
    const at = (await due()) - 1_000;
    expect(at).toBeGreaterThan(min);
    expect(at).toBeLessThan(max);
  });

  it('with an error in the cache is reported and due again', async () => {
    const { clock, cache, steps, recorded, update, due } = createRig();
    await clock.advance(50);
    cache.set('uid-1', { kind: 'error', message: 'no answer' }, clock.now());
    update('create', podOf());
    const at = await due();
    expect([steps, recorded]).toEqual([[], ['web: no answer']]);
    expect(at).toBeGreaterThan(11_000);
  });
});

describe('a pod terminates', () => {
  const deleted = podOf({ metadata: { deletionTimestamp: 1, deletionGracePeriodSeconds: 15 } });
  it.each<[string, Pod, SyncPodType, number]>([
    ['when it is deleted, with the grace period of the deletion', deleted, 'update', 15],
    ['when it is killed, with the grace period of the spec', podOf(), 'kill', 30],
    ['when its status is Failed', podOf({ status: { phase: 'Failed' } }), 'update', 30],
  ])('%s', async (_, pod, updateType, seconds) => {
    const { clock, steps, workers, update } = createRig();
    update('create', podOf());
    await clock.advance(1_000);
    expect([
      workers.isPodTerminationRequested('uid-1'),
      workers.couldHaveRunningContainers('uid-1'),
    ]).toEqual([false, true]);
    update(updateType, pod);
    expect(workers.isPodTerminationRequested('uid-1')).toBe(true);
    await clock.advance(1_000);
    expect(steps).toEqual(['1000 sync web', `2000 terminate web ${seconds}`, '2100 last web']);
    expect([
      workers.isPodKnownTerminated('uid-1'),
      workers.couldHaveRunningContainers('uid-1'),
    ]).toEqual([true, false]);
  });

  it('when its sync step returns isTerminal', async () => {
    const { clock, steps, script, update } = createRig();
    script.sync = () => ({ isTerminal: true, relist: false });
    update('create', podOf());
    await clock.advance(1_000);
    expect(steps).toEqual(['1000 sync web', '1100 terminate web undefined', '1200 last web']);
  });

  it('with the shortest grace period that was requested', async () => {
    const { clock, steps, script, update } = createRig();
    update('create', podOf());
    await clock.advance(500);
    script.takes = 1_000;
    script.terminate = () => {
      throw new SyncError('busy');
    };
    update('kill', podOf(), 20);
    await clock.advance(500);
    update('kill', podOf(), 5);
    await clock.advance(1_500);
    update('kill', podOf(), 10);
    await clock.advance(1_000);
    expect(steps.filter((text) => text.includes('terminate'))).toEqual([
      '1500 terminate web 20',
      '2600 terminate web 5',
      '3700 terminate web 5',
    ]);
  });

  it('once, and a failed step is repeated', async () => {
    const { clock, steps, script, update, due } = createRig();
    let left = 1;
    script.terminate = () => {
      if (left-- > 0) throw new SyncError('busy');
    };
    update('kill', podOf());
    const at = await due();
    expect(at).toBeGreaterThan(11_000);
    update('sync', podOf());
    await clock.advance(1_000);
    expect(steps.map((text) => text.replace(/^\d+ /, ''))).toEqual([
      'terminate web 30',
      'terminate web 30',
      'last web',
    ]);
    update('sync', podOf());
    update('kill', podOf());
    await clock.advance(1_000);
    expect(steps).toHaveLength(3);
  });

  it('with a last step that is repeated until it succeeds', async () => {
    const { clock, steps, script, update, due } = createRig();
    let left = 1;
    script.last = () => {
      if (left-- > 0) throw new SyncError('busy');
    };
    update('kill', podOf());
    await due();
    update('sync', podOf());
    await clock.advance(1_000);
    expect(steps.map((text) => text.replace(/^\d+ /, ''))).toEqual([
      'terminate web 30',
      'last web',
      'last web',
    ]);
  });

  it('with only the last step when it had ended before the kubelet started', async () => {
    const { clock, steps, update } = createRig();
    update('create', podOf({ status: { phase: 'Succeeded' } }));
    await clock.advance(1_000);
    expect(steps).toEqual(['1000 last web']);
  });

  it('with all steps when the runtime still has a sandbox of it', async () => {
    const { clock, cache, steps, update } = createRig();
    const sandboxStatuses = [buildSandbox()];
    cache.set(
      'uid-1',
      { kind: 'status', status: buildRuntimePodStatus({ sandboxStatuses }) },
      1_000,
    );
    update('create', podOf({ status: { phase: 'Succeeded' } }));
    await clock.advance(1_000);
    expect(steps.map((text) => text.replace(/^\d+ /, ''))).toEqual([
      'terminate web 30',
      'last web',
    ]);
  });
});

describe('stopped pod workers', () => {
  it('finish the current step and start no other', async () => {
    const { clock, workers, steps, script, update } = createRig();
    script.takes = 500;
    update('create', podOf());
    await clock.advance(200);
    update('update', podOf());
    workers.stop();
    update('kill', podOf());
    update('create', podOf({ metadata: { uid: 'uid-2' } }));
    await clock.advance(20_000);
    expect(steps).toEqual(['1000 sync web']);
  });
});

describe('shouldPodContentBeRemoved is', () => {
  it.each<[string, Pod | undefined, SyncPodType, boolean]>([
    [
      'true for a deleted pod that has terminated',
      podOf({ metadata: { deletionTimestamp: 1 } }),
      'update',
      true,
    ],
    [
      'false for a pod that has only terminated',
      podOf({ status: { phase: 'Succeeded' } }),
      'update',
      false,
    ],
    ['true for an unknown pod', undefined, 'update', true],
  ])('%s', async (_, pod, updateType, expected) => {
    const { clock, workers, update } = createRig();
    if (pod !== undefined) {
      update('create', podOf());
      await clock.advance(1_000);
      expect(workers.shouldPodContentBeRemoved('uid-1')).toBe(false);
      update(updateType, pod);
    }
    await clock.advance(1_000);
    expect(workers.shouldPodContentBeRemoved('uid-1')).toBe(expected);
  });
});

describe('syncKnownPods', () => {
  const known = (workers: PodWorkers, ...uids: string[]): [string, string][] => [
    ...workers.syncKnownPods(new Set(uids)),
  ];

  it('returns the state of each pod', async () => {
    const { clock, workers, script, update } = createRig();
    update('create', podOf());
    await clock.advance(200);
    expect(known(workers, 'uid-1')).toEqual([['uid-1', 'SyncPod']]);
    script.takes = 300;
    update('kill', podOf());
    expect(known(workers, 'uid-1')).toEqual([['uid-1', 'TerminatingPod']]);
    await clock.advance(1_000);
    expect(known(workers, 'uid-1')).toEqual([['uid-1', 'TerminatedPod']]);
  });

  it('removes a terminated pod that is not desired', async () => {
    const { clock, workers, update } = createRig();
    update('kill', podOf());
    await clock.advance(1_000);
    expect(known(workers)).toEqual([]);
    expect(workers.isPodKnownTerminated('uid-1')).toBe(false);
  });

  it('terminates a running pod that is not desired', async () => {
    const { clock, workers, steps, update } = createRig();
    update('create', podOf());
    await clock.advance(1_000);
    expect(known(workers)).toEqual([['uid-1', 'TerminatingPod']]);
    await clock.advance(1_000);
    expect(steps.map((text) => text.replace(/^\d+ /, ''))).toEqual([
      'sync web',
      'terminate web undefined',
      'last web',
    ]);
    expect(workers.shouldPodContentBeRemoved('uid-1')).toBe(true);
    expect(known(workers)).toEqual([]);
  });

  it('repeats a failed termination of a pod that is not desired', async () => {
    const { clock, workers, steps, script, update } = createRig();
    script.terminate = () => {
      throw new SyncError('busy');
    };
    update('kill', podOf());
    await clock.advance(1_000);
    known(workers);
    await clock.advance(1_000);
    known(workers);
    await clock.advance(1_000);
    expect(steps.filter((text) => text.includes('terminate'))).toHaveLength(3);
  });

  it('allows a pod to be created again that was added during its termination', async () => {
    const { clock, workers, steps, update } = createRig();
    update('create', podOf());
    await clock.advance(1_000);
    update('kill', podOf());
    update('create', podOf());
    await clock.advance(1_000);
    expect(steps).toHaveLength(3);
    expect(known(workers, 'uid-1')).toEqual([]);
    update('create', podOf());
    await clock.advance(1_000);
    expect(steps.at(-1)).toContain('sync web');
  });

  it('keeps a pod that is desired again until it has terminated', async () => {
    const { clock, workers, script, update } = createRig();
    update('create', podOf());
    await clock.advance(1_000);
    script.takes = 5_000;
    update('kill', podOf());
    update('create', podOf());
    expect(known(workers, 'uid-1')).toEqual([['uid-1', 'TerminatingPod']]);
  });
});

describe('static pods with the same name', () => {
  it('start one after the other', async () => {
    const { clock, workers, steps, update, due } = createRig();
    const [a, b] = [staticPod('a'), staticPod('b')];
    update('create', a);
    await clock.advance(500);
    update('create', b);
    await clock.advance(500);
    expect(steps).toEqual(['1000 sync web']);
    update('kill', a);
    await clock.advance(500);
    expect(steps.map((text) => text.replace(/^\d+ /, ''))).toEqual([
      'sync web',
      'terminate web 30',
      'last web',
    ]);
    expect(await due('b')).toBeGreaterThan(11_500);
    update('sync', b);
    await clock.advance(500);
    expect(steps).toHaveLength(4);
    expect(workers.isPodKnownTerminated('b')).toBe(false);
  });

  it('never start when they are killed before their turn', async () => {
    const { clock, workers, steps, update } = createRig();
    update('create', staticPod('a'));
    update('create', staticPod('b'));
    await clock.advance(500);
    update('kill', staticPod('b'));
    await clock.advance(500);
    expect(steps).toEqual(['1000 sync web']);
    expect(workers.isPodKnownTerminated('b')).toBe(true);
  });

  it('are removed at once when they wait and are not desired', async () => {
    const { clock, workers, steps, update } = createRig();
    update('create', staticPod('a'));
    update('create', staticPod('b'));
    await clock.advance(500);
    expect([...workers.syncKnownPods(new Set(['a'])).keys()]).toEqual(['a']);
    update('kill', staticPod('a'));
    await clock.advance(500);
    expect(steps).toHaveLength(3);
  });

  it('do not delay pods of the API server', async () => {
    const { clock, steps, update } = createRig();
    update('create', staticPod('a'));
    update('create', podOf({ metadata: { uid: 'b' } }));
    await clock.advance(500);
    expect(steps).toEqual(['1000 sync web', '1000 sync web']);
  });
});
