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

/** A PLEG and a runtime with one sandbox; `events` has entries such as `0 Started app-1`. */
async function createRig() {
  const clock = new VirtualClock(1, 0);
  const runtime = new FakeRuntime(clock);
  await runtime.runPodSandbox(buildPod(), 0);
  const cache = new PodCache(clock);
  const events: string[] = [];
  const pleg = new Pleg(clock, runtime, cache, ({ type, id }) =>
    events.push(`${clock.now()} ${type.replace('Container', '')} ${id ?? ''}`.trim()),
  );
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
  it('runs at once and then each second, and emits what changed', async () => {
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

  it('updates the cache', async () => {
    const { clock, runtime, pleg, status } = await createRig();
    run(runtime, 'app-1');
    void pleg.start();
    await clock.advance(0);
    expect(status().containerStatuses.map(({ id }) => id)).toEqual(['app-1']);
    runtime.exit('app-1', 3);
    await clock.advance(1_000);
    expect(status().containerStatuses).toMatchObject([{ state: 'exited', exitCode: 3 }]);
  });

  it('sees a created container without emitting an event', async () => {
    const { clock, runtime, events, pleg, status } = await createRig();
    void pleg.start();
    await clock.advance(500);
    runtime.add({ id: 'app-1' }, buildPod());
    await clock.advance(1_000);
    expect(events).toEqual(['0 Started sandbox-1']);
    expect(status().containerStatuses.map(({ state }) => state)).toEqual(['created']);
  });

  it('removes a deleted pod from the cache', async () => {
    const { clock, runtime, events, pleg, status } = await createRig();
    void pleg.start();
    await clock.advance(500);
    await runtime.removePodSandbox('sandbox-1');
    await clock.advance(1_000);
    expect(events.slice(1)).toEqual(['1000 Died sandbox-1', '1000 Removed sandbox-1']);
    expect(status().sandboxStatuses).toEqual([]);
  });

  it('that takes long delays the next one', async () => {
    const clock = new VirtualClock(1, 0);
    const begun: number[] = [];
    const runtime = new FakeRuntime(clock);
    const getPods = runtime.getPods.bind(runtime);
    runtime.getPods = async () => {
      begun.push(clock.now());
      await new Promise<void>((resolve) => clock.setTimeout(resolve, 400));
      return getPods();
    };
    void new Pleg(clock, runtime, new PodCache(clock), () => undefined).start();
    await clock.advance(3_000);
    expect(begun).toEqual([0, 1_400, 2_800]);
  });

  it('inspects nothing when the list of pods is unchanged', async () => {
    const clock = new VirtualClock(1, 0);
    const pods: readonly RuntimePod[] = [
      {
        uid: 'uid-1',
        containers: [],
        sandboxes: [{ id: 's', state: 'ready' }],
      },
    ];
    let inspections = 0;
    const runtime = new FakeRuntime(clock);
    runtime.getPods = () => Promise.resolve(pods);
    runtime.getPodStatus = () => {
      inspections++;
      return Promise.resolve(buildRuntimePodStatus());
    };
    const cache = new PodCache(clock);
    void new Pleg(clock, runtime, cache, () => undefined).start();
    await clock.advance(5_000);
    expect(inspections).toBe(1);
    expect(cache.getNewerThan('uid-1', 4_999)).not.toBeInstanceOf(Promise);
  });
});

describe('a pod that cannot be inspected', () => {
  const broken = new RuntimeError('no');

  it('is an error in the cache and is retried until it succeeds', async () => {
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

  it('is synced when it can be inspected again, even without changes', async () => {
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
  it('runs when it is requested', async () => {
    const { clock, runtime, events, cache, pleg } = await createRig();
    void pleg.start();
    await clock.advance(300);
    run(runtime, 'app-1');
    pleg.requestRelist('uid-1');
    await clock.advance(0);
    expect(events.slice(1)).toEqual(['300 Started app-1']);
    expect(cache.getNewerThan('uid-1', 299)).not.toBeInstanceOf(Promise);
  });

  it('updates the cache time even when nothing has changed', async () => {
    const { clock, cache, pleg } = await createRig();
    void pleg.start();
    await clock.advance(300);
    pleg.requestRelist('uid-1');
    await clock.advance(0);
    expect(cache.getNewerThan('uid-1', 299)).not.toBeInstanceOf(Promise);
  });

  it.each<[string, (rig: { runtime: FakeRuntime }) => void]>([
    ['for an unknown pod', () => undefined],
    [
      'for a runtime that does not answer',
      ({ runtime }) => runtime.failures.set('getPods', new RuntimeError('no')),
    ],
  ])('%s does nothing, and the next full relist follows', async (_, prepare) => {
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

  it('is skipped after a full relist', async () => {
    const { clock, runtime, events, pleg } = await createRig();
    void pleg.start();
    pleg.requestRelist('uid-1');
    run(runtime, 'app-1');
    await clock.advance(0);
    expect(events).toEqual(['0 Started app-1', '0 Started sandbox-1']);
  });
});

describe('health', () => {
  it('is bad before the first relist and after 3 minutes without one', async () => {
    const { clock, runtime, pleg } = await createRig();
    expect(pleg.isHealthy()).toBe(false);
    void pleg.start();
    await clock.advance(500);
    expect(pleg.isHealthy()).toBe(true);
    runtime.failures.set('getPods', new RuntimeError('no'));
    await clock.advance(179_500);
    expect(pleg.isHealthy()).toBe(true);
    await clock.advance(1_000);
    expect(pleg.isHealthy()).toBe(false);
    runtime.failures.clear();
    await clock.advance(1_000);
    expect(pleg.isHealthy()).toBe(true);
  });
});

describe('pod IPs', () => {
  it('are kept when the sandbox is stopped', async () => {
    const { clock, runtime, pleg, status } = await createRig();
    void pleg.start();
    await clock.advance(500);
    await runtime.stopPodSandbox('sandbox-1');
    await clock.advance(1_000);
    expect(status().ips).toEqual(['10.0.0.1']);
  });

  it('are not kept from an older sandbox when the new one has none', async () => {
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

describe('stateChanges emits', () => {
  it.each<[string, States | undefined, States | undefined, string[]]>([
    ['nothing without a change', { a: 'running', b: 'exited' }, { a: 'running', b: 'exited' }, []],
    ['Started for a new running container', {}, { a: 'running' }, ['a Started']],
    [
      'Started and Died for a new pod',
      undefined,
      { a: 'running', b: 'exited' },
      ['a Started', 'b Died'],
    ],
    ['Died for an exit', { a: 'running' }, { a: 'exited' }, ['a Died']],
    ['Died for a container that started and exited', {}, { a: 'exited' }, ['a Died']],
    ['Removed for an exited container that was removed', { a: 'exited' }, {}, ['a Removed']],
    [
      'Died and Removed for a running container that was removed',
      { a: 'running' },
      {},
      ['a Died', 'a Removed'],
    ],
    [
      'Died and Removed for a container of unknown state that was removed',
      { a: 'unknown' },
      {},
      ['a Died', 'a Removed'],
    ],
    [
      'Died and Removed for a removed pod',
      { a: 'exited', b: 'running' },
      undefined,
      ['a Removed', 'b Died', 'b Removed'],
    ],
    ['nothing for a created container', {}, { a: 'created' }, []],
    [
      'Started for a created container that runs',
      { a: 'created' },
      { a: 'running' },
      ['a Started'],
    ],
    ['nothing when a state becomes unknown', { a: 'running' }, { a: 'unknown' }, []],
    [
      'Started when an unknown state becomes running',
      { a: 'unknown' },
      { a: 'running' },
      ['a Started'],
    ],
    [
      'Died and Started for two containers',
      { a: 'running' },
      { a: 'exited', b: 'running' },
      ['a Died', 'b Started'],
    ],
  ])('%s', (_, old, now, expected) => {
    expect(show(old && podOf(old), now && podOf(now))).toEqual(expected);
  });

  it('events of sandboxes after those of containers', () => {
    const began = podOf({ a: 'running' }, { s1: 'ready' });
    expect(show(undefined, began)).toEqual(['a Started', 's1 Started']);
    expect(show(began, podOf({ a: 'running' }, { s1: 'notReady' }))).toEqual(['s1 Died']);
    expect(show(podOf({}, { s1: 'notReady' }), podOf({}, {}))).toEqual(['s1 Removed']);
  });
});

it.each<[string, States, States, boolean]>([
  ['is created', {}, { a: 'created' }, true],
  ['changes to unknown', { a: 'running' }, { a: 'unknown' }, true],
  ['stays unknown', { a: 'unknown' }, { a: 'unknown' }, false],
  ['changes from created to unknown', { a: 'created' }, { a: 'unknown' }, false],
  ['starts', { a: 'created' }, { a: 'running' }, false],
])('stateChanges for a container that %s', (_, old, now, expected) => {
  const changes = stateChanges(podOf(old), podOf(now));
  expect(changes.some(({ newState }) => newState === 'unknown')).toBe(expected);
});
