import { describe, expect, it } from 'vitest';

import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import {
  type RuntimeContainerState,
  RuntimeError,
  type RuntimePod,
  type RuntimePodStatus,
  type RuntimeSandboxState,
} from '../../../src/kubelet/ports.js';
import { eventTypes, Pleg, stateChanges } from '../../../src/kubelet/sync/pleg.js';
import { PodCache } from '../../../src/kubelet/sync/pod-cache.js';
import {
  buildExited,
  buildPod,
  buildRuntimePod,
  buildRuntimePodStatus,
  buildSandbox,
} from '../../helpers/builders.js';
import { FakeRuntime } from '../../helpers/fake-runtime.js';

/** A PLEG over a runtime whose pod has a sandbox; `events` as `0 Started app-1`. */
async function createRig() {
  const clock = new VirtualClock(1, 0);
  const runtime = new FakeRuntime(clock);
  await runtime.runPodSandbox(buildPod(), 0);
  const cache = new PodCache(clock);
  const events: string[] = [];
  const pleg = new Pleg({
    clock,
    runtime,
    cache,
    onEvent: ({ type, id }) =>
      events.push(`${clock.now()} ${type.replace('Container', '')} ${id ?? ''}`.trim()),
  });
  const status = (): RuntimePodStatus => {
    const cached = cache.get('uid-1');
    if (cached.kind === 'error') throw new Error(cached.message);
    return cached.status;
  };
  return { clock, runtime, cache, events, pleg, status };
}

const run = (runtime: FakeRuntime, id: string): void =>
  runtime.add({ id, state: 'running' }, buildPod());

describe('a relist', () => {
  it('comes at once and then each second, and tells what happened', async () => {
    const { clock, runtime, events, pleg } = await createRig();
    void pleg.start();
    await clock.advance(500);
    run(runtime, 'app-1');
    await clock.advance(1_000);
    runtime.exit('app-1', 1);
    await clock.advance(2_000);
    expect(events).toEqual(['0 Started sandbox-1', '1000 Started app-1', '2000 Died app-1']);
    pleg.stop();
    run(runtime, 'app-2');
    await clock.advance(5_000);
    expect(events).toHaveLength(3);
  });

  it('keeps in the cache what it saw, before it tells', async () => {
    const { clock, runtime, pleg, status } = await createRig();
    run(runtime, 'app-1');
    void pleg.start();
    await clock.advance(0);
    expect(status().containerStatuses.map(({ id }) => id)).toEqual(['app-1']);
    runtime.exit('app-1', 3);
    await clock.advance(1_000);
    expect(status().containerStatuses).toMatchObject([{ state: 'exited', exitCode: 3 }]);
  });

  it('sees that a container was made, and tells nobody', async () => {
    const { clock, runtime, events, pleg, status } = await createRig();
    void pleg.start();
    await clock.advance(500);
    runtime.add({ id: 'app-1' }, buildPod());
    await clock.advance(1_000);
    expect(events).toEqual(['0 Started sandbox-1']);
    expect(status().containerStatuses.map(({ state }) => state)).toEqual(['created']);
  });

  it('forgets a pod that is gone', async () => {
    const { clock, runtime, events, pleg, status } = await createRig();
    void pleg.start();
    await clock.advance(500);
    await runtime.removePodSandbox('sandbox-1');
    await clock.advance(1_000);
    expect(events.slice(1)).toEqual(['1000 Died sandbox-1', '1000 Removed sandbox-1']);
    expect(status().sandboxStatuses).toEqual([]);
  });

  it('that takes long puts the next one off', async () => {
    const clock = new VirtualClock(1, 0);
    const begun: number[] = [];
    const runtime = new FakeRuntime(clock);
    const getPods = runtime.getPods.bind(runtime);
    runtime.getPods = async () => {
      begun.push(clock.now());
      await new Promise<void>((resolve) => clock.setTimeout(resolve, 400));
      return getPods();
    };
    void new Pleg({ clock, runtime, cache: new PodCache(clock), onEvent: () => undefined }).start();
    await clock.advance(3_000);
    expect(begun).toEqual([0, 1_400, 2_800]);
  });

  it('that finds an unchanged listing looks at nothing', async () => {
    const clock = new VirtualClock(1, 0);
    const pods: readonly RuntimePod[] = [
      {
        uid: 'uid-1',
        name: 'web',
        namespace: 'default',
        containers: [],
        sandboxes: [{ id: 's', state: 'ready' }],
      },
    ];
    let looks = 0;
    const runtime = new FakeRuntime(clock);
    runtime.getPods = () => Promise.resolve(pods);
    runtime.getPodStatus = () => {
      looks++;
      return Promise.resolve(buildRuntimePodStatus());
    };
    const cache = new PodCache(clock);
    void new Pleg({ clock, runtime, cache, onEvent: () => undefined }).start();
    await clock.advance(5_000);
    expect(looks).toBe(1);
    expect(cache.getNewerThan('uid-1', 4_999)).not.toBeInstanceOf(Promise);
  });
});

describe('a pod that cannot be looked at', () => {
  const broken = new RuntimeError('no');

  it('is an error in the cache, and tried again until it can', async () => {
    const { clock, runtime, cache, events, pleg } = await createRig();
    runtime.failures.set('getPodStatus', broken);
    void pleg.start();
    await clock.advance(1_500);
    expect(cache.get('uid-1')).toEqual({ kind: 'error', message: 'no' });
    expect(events).toEqual([]);
    runtime.failures.clear();
    await clock.advance(1_000);
    expect(events).toEqual(['2000 Started sandbox-1']);
    expect(cache.get('uid-1').kind).toBe('status');
  });

  it('and has not changed when it can be is synced all the same', async () => {
    const { clock, runtime, events, pleg } = await createRig();
    void pleg.start();
    await clock.advance(500);
    run(runtime, 'app-1');
    runtime.failures.set('getPodStatus', broken);
    await clock.advance(1_000);
    await runtime.removeContainer('app-1');
    runtime.failures.clear();
    await clock.advance(1_000);
    expect(events).toEqual(['0 Started sandbox-1', '2000 PodSync']);
  });
});

describe('a relist of one pod', () => {
  it('comes when it is asked for', async () => {
    const { clock, runtime, events, cache, pleg } = await createRig();
    void pleg.start();
    await clock.advance(300);
    run(runtime, 'app-1');
    pleg.requestRelist('uid-1');
    await clock.advance(0);
    expect(events.slice(1)).toEqual(['300 Started app-1']);
    expect(cache.getNewerThan('uid-1', 299)).not.toBeInstanceOf(Promise);
  });

  it('is seen also when nothing has changed', async () => {
    const { clock, cache, pleg } = await createRig();
    void pleg.start();
    await clock.advance(300);
    pleg.requestRelist('uid-1');
    await clock.advance(0);
    expect(cache.getNewerThan('uid-1', 299)).not.toBeInstanceOf(Promise);
  });

  it.each<[string, (rig: { runtime: FakeRuntime }) => void]>([
    ['of a pod that is not there', () => undefined],
    [
      'of a runtime that does not answer',
      ({ runtime }) => runtime.failures.set('getPods', new RuntimeError('no')),
    ],
  ])('%s is left to the next relist of all', async (_, prepare) => {
    const { clock, runtime, events, cache, pleg } = await createRig();
    void pleg.start();
    await clock.advance(300);
    await runtime.removePodSandbox('sandbox-1');
    prepare({ runtime });
    pleg.requestRelist('uid-1');
    await clock.advance(0);
    expect(events).toHaveLength(1);
    expect(cache.getNewerThan('uid-1', 299)).toBeInstanceOf(Promise);
    runtime.failures.clear();
    await clock.advance(1_000);
    expect(events).toHaveLength(3);
  });

  it('is not made when all were relisted since', async () => {
    const { clock, runtime, events, pleg } = await createRig();
    void pleg.start();
    pleg.requestRelist('uid-1');
    run(runtime, 'app-1');
    await clock.advance(0);
    expect(events).toEqual(['0 Started app-1', '0 Started sandbox-1']);
  });
});

describe('health', () => {
  it('is bad until the first relist, and after 3 minutes without one', async () => {
    const { clock, runtime, pleg } = await createRig();
    expect(pleg.unhealthy()).toBe('pleg has yet to be successful');
    void pleg.start();
    await clock.advance(500);
    expect(pleg.unhealthy()).toBeUndefined();
    runtime.failures.set('getPods', new RuntimeError('no'));
    await clock.advance(179_500);
    expect(pleg.unhealthy()).toBeUndefined();
    await clock.advance(1_000);
    expect(pleg.unhealthy()).toBe('pleg was last seen active 181s ago; threshold is 3m0s');
    runtime.failures.clear();
    await clock.advance(1_000);
    expect(pleg.unhealthy()).toBeUndefined();
  });
});

describe('addresses', () => {
  it('of a pod that is torn down stay', async () => {
    const { clock, runtime, pleg, status } = await createRig();
    void pleg.start();
    await clock.advance(500);
    await runtime.stopPodSandbox('sandbox-1');
    await clock.advance(1_000);
    expect(status().ips).toEqual(['10.0.0.1']);
  });

  it('of a sandbox that has none are none, whatever the one before had', async () => {
    const { clock, runtime, pleg, status } = await createRig();
    const states = [
      buildRuntimePodStatus(),
      buildRuntimePodStatus({
        ips: [],
        sandboxStatuses: [buildSandbox({ id: 's2', ips: [] }), buildSandbox()],
      }),
    ];
    runtime.getPodStatus = () => Promise.resolve(states.shift()!);
    void pleg.start();
    await clock.advance(500);
    runtime.add(buildExited(0), buildPod());
    await clock.advance(1_000);
    expect(status().ips).toEqual([]);
  });
});

type States = Readonly<Record<string, RuntimeContainerState>>;

function podOf(
  states: States,
  sandboxes: Readonly<Record<string, RuntimeSandboxState>> = {},
): RuntimePod {
  return buildRuntimePod({
    containers: Object.entries(states).map(([id, state]) => ({
      id,
      name: id,
      state,
      sandboxID: 's',
    })),
    sandboxes: Object.entries(sandboxes).map(([id, state]) => ({ id, state })),
  });
}

const show = (old: RuntimePod | undefined, now: RuntimePod | undefined): string[] =>
  stateChanges(old, now).flatMap((change) =>
    eventTypes(change).map((type) => `${change.id} ${type.replace('Container', '')}`),
  );

describe('between two listings', () => {
  it.each<[string, States | undefined, States | undefined, string[]]>([
    ['nothing happened', { a: 'running', b: 'exited' }, { a: 'running', b: 'exited' }, []],
    ['one began', {}, { a: 'running' }, ['a Started']],
    ['a pod began', undefined, { a: 'running', b: 'exited' }, ['a Started', 'b Died']],
    ['one ended', { a: 'running' }, { a: 'exited' }, ['a Died']],
    ['one began and ended', {}, { a: 'exited' }, ['a Died']],
    ['one that had ended was removed', { a: 'exited' }, {}, ['a Removed']],
    ['one that ran was removed', { a: 'running' }, {}, ['a Died', 'a Removed']],
    ['one that could not be told was removed', { a: 'unknown' }, {}, ['a Died', 'a Removed']],
    [
      'a pod was removed',
      { a: 'exited', b: 'running' },
      undefined,
      ['a Removed', 'b Died', 'b Removed'],
    ],
    ['one was made, which counts for nothing yet', {}, { a: 'created' }, []],
    ['one that was made began', { a: 'created' }, { a: 'running' }, ['a Started']],
    [
      'one cannot be told any more, which counts for nothing',
      { a: 'running' },
      { a: 'unknown' },
      [],
    ],
    ['one can be told again', { a: 'unknown' }, { a: 'running' }, ['a Started']],
    [
      'one ended and another began',
      { a: 'running' },
      { a: 'exited', b: 'running' },
      ['a Died', 'b Started'],
    ],
  ])('%s', (_, old, now, expected) => {
    expect(show(old && podOf(old), now && podOf(now))).toEqual(expected);
  });

  it('sandboxes count as containers, after them', () => {
    const began = podOf({ a: 'running' }, { s1: 'ready' });
    expect(show(undefined, began)).toEqual(['a Started', 's1 Started']);
    expect(show(began, podOf({ a: 'running' }, { s1: 'notReady' }))).toEqual(['s1 Died']);
    expect(show(podOf({}, { s1: 'notReady' }), podOf({}, {}))).toEqual(['s1 Removed']);
  });
});

it.each<[string, States, States, boolean]>([
  ['was made', {}, { a: 'created' }, true],
  ['cannot be told any more', { a: 'running' }, { a: 'unknown' }, true],
  ['still cannot be told', { a: 'unknown' }, { a: 'unknown' }, false],
  ['was made, and cannot be told', { a: 'created' }, { a: 'unknown' }, false],
  ['began', { a: 'created' }, { a: 'running' }, false],
])('a container that %s is worth a closer look: %#', (_, old, now, expected) => {
  const changes = stateChanges(podOf(old), podOf(now));
  expect(changes.some(({ newState }) => newState === 'unknown')).toBe(expected);
});
