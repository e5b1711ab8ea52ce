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
 * Workers on a clock that begins at 1 s, with a cache that is fresh each 100 ms. `steps` tells what they did, as
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
  const told: string[] = [];
  /** What a step of a pod comes to; it may throw. */
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
    onStatusError: (pod, message) => told.push(`${pod.metadata.name}: ${message}`),
  });
  const update = (updateType: SyncPodType, pod: Pod, gracePeriodOverride?: number): void =>
    workers.updatePod({
      updateType,
      pod,
      ...(gracePeriodOverride === undefined ? {} : { gracePeriodOverride }),
    });
  /** When the pod is due next, by looking each 10 ms. */
  const due = async (uid = 'uid-1'): Promise<number> => {
    for (;;) {
      if (workQueue.getWork().has(uid)) return clock.now();
      await clock.advance(10);
    }
  };
  return { clock, cache, workers, steps, relisted, told, script, update, due };
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
  it('is synced when it comes, and with each update, one step at a time', async () => {
    const { clock, steps, script, update } = createRig();
    script.takes = 500;
    update('create', podOf());
    await clock.advance(200);
    update('update', podOf());
    update('sync', podOf());
    await clock.advance(2_000);
    expect(steps).toEqual(['1000 sync web', '1600 sync web']);
  });

  it('is synced only once it was looked at since its last step', async () => {
    const { clock, steps, update } = createRig();
    update('create', podOf());
    await clock.advance(50);
    update('sync', podOf());
    await clock.advance(2_000);
    expect(steps).toEqual(['1000 sync web', '1100 sync web']);
  });

  it('that has changed is synced again when its step requests it', async () => {
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
    ['a good step: 60 to 90 s', () => ({ isTerminal: false, relist: false }), 60_000, 90_000],
    [
      'a step that failed: 10 to 15 s',
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
  ])('is due again after %s', async (_, sync, least, most) => {
    const { script, update, due } = createRig();
    script.sync = sync;
    update('create', podOf());
    const at = (await due()) - 1_000;
    expect(at).toBeGreaterThan(least);
    expect(at).toBeLessThan(most);
  });

  it('with unknown state is reported, and due again', async () => {
    const { clock, cache, steps, told, update, due } = createRig();
    await clock.advance(50);
    cache.set('uid-1', { kind: 'error', message: 'no answer' }, clock.now());
    update('create', podOf());
    const at = await due();
    expect([steps, told]).toEqual([[], ['web: no answer']]);
    expect(at).toBeGreaterThan(11_000);
  });
});

describe('a pod ends', () => {
  const deleted = podOf({ metadata: { deletionTimestamp: 1, deletionGracePeriodSeconds: 15 } });
  it.each<[string, Pod, SyncPodType, number]>([
    ['when it is deleted, with the grace period of that', deleted, 'update', 15],
    ["when it is killed, with the spec's", podOf(), 'kill', 30],
    ['when the API server shows it Failed', podOf({ status: { phase: 'Failed' } }), 'update', 30],
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

  it('by itself when its step says so', async () => {
    const { clock, steps, script, update } = createRig();
    script.sync = () => ({ isTerminal: true, relist: false });
    update('create', podOf());
    await clock.advance(1_000);
    expect(steps).toEqual(['1000 sync web', '1100 terminate web undefined', '1200 last web']);
  });

  it('with the shortest grace period that anybody asked for', async () => {
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

  it('once: what fails is done again', async () => {
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

  it('and its last step is done again until it goes through', async () => {
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

  it('with what the kubelet knew before it was started: only the last step is left', async () => {
    const { clock, steps, update } = createRig();
    update('create', podOf({ status: { phase: 'Succeeded' } }));
    await clock.advance(1_000);
    expect(steps).toEqual(['1000 last web']);
  });

  it('with all steps when the runtime still shows something of it', async () => {
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

describe('workers that are stopped', () => {
  it('end the step under way and begin none', async () => {
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

describe('the content of a pod may go', () => {
  it.each<[string, Pod | undefined, SyncPodType, boolean]>([
    [
      'when it was deleted and has ended',
      podOf({ metadata: { deletionTimestamp: 1 } }),
      'update',
      true,
    ],
    ['not when it has only ended', podOf({ status: { phase: 'Succeeded' } }), 'update', false],
    ['when it is not known', undefined, 'update', true],
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

describe('housekeeping', () => {
  const known = (workers: PodWorkers, ...uids: string[]): [string, string, boolean][] =>
    [...workers.syncKnownPods(new Set(uids))].map(([uid, { state, orphan }]) => [
      uid,
      state,
      orphan,
    ]);

  it('tells where each pod is', async () => {
    const { clock, workers, script, update } = createRig();
    update('create', podOf());
    await clock.advance(200);
    expect(known(workers, 'uid-1')).toEqual([['uid-1', 'SyncPod', false]]);
    script.takes = 300;
    update('kill', podOf());
    expect(known(workers, 'uid-1')).toEqual([['uid-1', 'TerminatingPod', false]]);
    await clock.advance(1_000);
    expect(known(workers, 'uid-1')).toEqual([['uid-1', 'TerminatedPod', false]]);
  });

  it('forgets a pod that has ended and is not wanted', async () => {
    const { clock, workers, update } = createRig();
    update('kill', podOf());
    await clock.advance(1_000);
    expect(known(workers)).toEqual([]);
    expect(workers.isPodKnownTerminated('uid-1')).toBe(false);
  });

  it('ends a pod that is not wanted and lives', async () => {
    const { clock, workers, steps, update } = createRig();
    update('create', podOf());
    await clock.advance(1_000);
    expect(known(workers)).toEqual([['uid-1', 'TerminatingPod', true]]);
    await clock.advance(1_000);
    expect(steps.map((text) => text.replace(/^\d+ /, ''))).toEqual([
      'sync web',
      'terminate web undefined',
      'last web',
    ]);
    expect(workers.shouldPodContentBeRemoved('uid-1')).toBe(true);
    expect(known(workers)).toEqual([]);
  });

  it('has a pod that is not wanted go on with its end when that failed', async () => {
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

  it('lets a pod come again that was added while it ended', async () => {
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

  it('keeps a pod that is wanted again until it has ended', async () => {
    const { clock, workers, script, update } = createRig();
    update('create', podOf());
    await clock.advance(1_000);
    script.takes = 5_000;
    update('kill', podOf());
    update('create', podOf());
    expect(known(workers, 'uid-1')).toEqual([['uid-1', 'TerminatingPod', false]]);
  });
});

describe('static pods of one name', () => {
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

  it('that are not wanted any more before their turn never start', async () => {
    const { clock, workers, steps, update } = createRig();
    update('create', staticPod('a'));
    update('create', staticPod('b'));
    await clock.advance(500);
    update('kill', staticPod('b'));
    await clock.advance(500);
    expect(steps).toEqual(['1000 sync web']);
    expect(workers.isPodKnownTerminated('b')).toBe(true);
  });

  it('that wait are forgotten at once when they are not wanted', async () => {
    const { clock, workers, steps, update } = createRig();
    update('create', staticPod('a'));
    update('create', staticPod('b'));
    await clock.advance(500);
    expect([...workers.syncKnownPods(new Set(['a'])).keys()]).toEqual(['a']);
    update('kill', staticPod('a'));
    await clock.advance(500);
    expect(steps).toHaveLength(3);
  });

  it('do not hold up a pod of the API server', async () => {
    const { clock, steps, update } = createRig();
    update('create', staticPod('a'));
    update('create', podOf({ metadata: { uid: 'b' } }));
    await clock.advance(500);
    expect(steps).toEqual(['1000 sync web', '1000 sync web']);
  });
});
