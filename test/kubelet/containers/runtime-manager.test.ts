import { describe, expect, it } from 'vitest';

import type { Pod } from '../../../src/api/index.js';
import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { Backoff } from '../../../src/kubelet/containers/backoff.js';
import { ContainerKiller } from '../../../src/kubelet/containers/container-killer.js';
import { ContainerStarter } from '../../../src/kubelet/containers/container-starter.js';
import { HookRunner } from '../../../src/kubelet/containers/hook-runner.js';
import { RuntimeManager } from '../../../src/kubelet/containers/runtime-manager.js';
import { RuntimeError, type RuntimePodStatus } from '../../../src/kubelet/ports.js';
import { DEFAULT_BEHAVIOR } from '../../../src/kubelet/release.js';
import type { SyncResult } from '../../../src/kubelet/sync-result.js';
import type { Event } from '../../../src/trace/event.js';
import {
  buildContainer,
  buildPod,
  buildRuntimePod,
  buildSidecar,
  onExit,
  type PodOverrides,
} from '../../helpers/builders.js';
import { fakeRecorder } from '../../helpers/fake-recorder.js';
import { FakeRuntime } from '../../helpers/fake-runtime.js';
import { fakeTransports } from '../../helpers/fake-transports.js';
import { settle } from '../../helpers/settle.js';

function createRig() {
  const clock = new VirtualClock(1, 0);
  const runtime = new FakeRuntime(clock);
  const { recorder, recorded } = fakeRecorder();
  const { transports } = fakeTransports();
  const events: Event[] = [];
  const emit = (event: Event): void => void events.push(event);
  const hooks = new HookRunner({
    clock,
    runtime,
    transports,
    recorder,
    emit,
    kubelet: { version: '1.36' },
  });
  const killer = new ContainerKiller(clock, runtime, recorder, hooks);
  const backOff = new Backoff(clock, 10_000, 300_000);
  const starter = new ContainerStarter({
    clock,
    runtime,
    recorder,
    backOff,
    images: undefined,
    hooks,
    killer,
    behavior: DEFAULT_BEHAVIOR,
    emit,
  });
  const ready: string[] = [];
  const state = { failed: new Set<string>(), terminating: false };
  const manager = new RuntimeManager({
    behavior: DEFAULT_BEHAVIOR,
    runtime,
    recorder,
    starter,
    killer,
    emit,
    probeResults: {
      liveness: (id) => (state.failed.has(id) ? 'failure' : 'success'),
      startup: () => undefined,
    },
    onPodSandboxReady: (pod) => ready.push(pod.metadata.name),
    isPodTerminationRequested: () => state.terminating,
  });
  /** Syncs the pod with the runtime's current state; returns the calls of this sync, without their times. */
  const sync = async (
    pod: Pod,
    restartAll = false,
  ): Promise<{ calls: string[]; results: readonly SyncResult[] }> => {
    const before = runtime.calls.length;
    const status: RuntimePodStatus = await runtime.getPodStatus(buildRuntimePod());
    const results = await settle(clock, manager.syncPod(pod, status, restartAll));
    return { calls: runtime.calls.slice(before).map((call) => call.replace(/^\S+ /, '')), results };
  };
  return { clock, runtime, manager, recorded, events, ready, state, sync };
}

const podOf = (overrides: PodOverrides = {}): Pod =>
  buildPod({ ...overrides, spec: { terminationGracePeriodSeconds: 30, ...overrides.spec } });
const errors = (results: readonly SyncResult[]): unknown[] =>
  results.flatMap(({ error }) => error ?? []);

describe('a new pod', () => {
  it('gets a sandbox and its containers', async () => {
    const { ready, recorded, sync } = createRig();
    const { calls, results } = await sync(podOf());
    expect(calls).toEqual(['runSandbox 0', 'create app', 'start app-1']);
    expect(results).toEqual([
      { action: 'KillPodSandbox', target: 'uid-1' },
      { action: 'CreatePodSandbox', target: 'web_default(uid-1)' },
      { action: 'StartContainer', target: 'app' },
    ]);
    expect(ready).toEqual(['web']);
    expect(recorded.filter((text) => text.includes('Sandbox'))).toEqual([]);
  });

  it('gets no further actions once its containers run', async () => {
    const { events, sync } = createRig();
    await sync(podOf());
    events.length = 0;
    expect(await sync(podOf())).toEqual({ calls: [], results: [] });
    expect(events).toEqual([]);
  });

  it('records FailedCreatePodSandBox when its sandbox cannot be created', async () => {
    const { runtime, ready, recorded, sync } = createRig();
    runtime.failures.set('runSandbox', new RuntimeError('no network'));
    const { calls, results } = await sync(podOf());
    expect(calls).toEqual(['runSandbox 0']);
    expect(errors(results)).toEqual([
      {
        reason: 'CreatePodSandboxError',
        message: 'Failed to create sandbox for pod "web_default(uid-1)": no network',
      },
    ]);
    expect([recorded, ready]).toEqual([
      ['pod Warning FailedCreatePodSandBox: Failed to create pod sandbox: no network'],
      [],
    ]);
  });

  it('reports no sandbox error when it is being terminated', async () => {
    const { runtime, recorded, state, sync } = createRig();
    runtime.failures.set('runSandbox', new RuntimeError('no network'));
    state.terminating = true;
    expect(errors((await sync(podOf())).results)).toEqual([]);
    expect(recorded).toEqual([]);
  });
});

describe('init containers', () => {
  const spec = { initContainers: [buildContainer({ name: 'i' })], containers: [buildContainer()] };

  it('run first, and again in a new sandbox', async () => {
    const { runtime, recorded, sync } = createRig();
    const pod = podOf({ spec });
    expect((await sync(pod)).calls).toEqual(['runSandbox 0', 'create i', 'start i-1']);
    expect((await sync(pod)).calls).toEqual([]);
    runtime.exit('i-1', 0);
    expect((await sync(pod)).calls).toEqual(['create app', 'start app-1']);
    await runtime.stopPodSandbox('sandbox-1');
    expect((await sync(pod)).calls).toEqual([
      'stop app-1 30',
      'stopSandbox sandbox-1',
      'remove i-1',
      'runSandbox 1',
      'create i',
      'start i-2',
    ]);
    expect(recorded).toContain(
      'pod Normal SandboxChanged: Pod sandbox changed, it will be killed and re-created.',
    );
    expect(runtime.container('i-2').restartCount).toBe(1);
  });

  it('stop the sync when they fail to start', async () => {
    const { runtime, sync } = createRig();
    runtime.failures.set('create i', new RuntimeError('no'));
    const { calls, results } = await sync(
      podOf({
        spec: { ...spec, initContainers: [...spec.initContainers, buildContainer({ name: 'j' })] },
      }),
    );
    expect(calls).toEqual(['runSandbox 0', 'create i']);
    expect(errors(results)).toHaveLength(1);
  });

  it('do not stop the sync when they are sidecars and fail to start', async () => {
    const { runtime, sync } = createRig();
    const pod = podOf({
      spec: { initContainers: [buildSidecar({ name: 's' }), buildSidecar({ name: 't' })] },
    });
    await sync(pod);
    await sync(pod);
    await sync(pod);
    runtime.exit('s-1', 1);
    runtime.exit('app-1', 1);
    runtime.failures.set('create s', new RuntimeError('no'));
    const { calls, results } = await sync(pod);
    expect(calls).toEqual(['create s', 'create app', 'start app-2']);
    expect(errors(results)).toHaveLength(1);
  });

  it('are pruned to the latest exited one', async () => {
    const { runtime, sync } = createRig();
    const pod = podOf({ spec });
    await runtime.runPodSandbox(pod, 0);
    for (const [id, state] of [
      ['i-7', 'exited'],
      ['i-8', 'unknown'],
      ['i-9', 'exited'],
    ] as const) {
      runtime.add({ id, name: 'i', state }, pod);
    }
    const { calls } = await sync(pod);
    expect(calls.slice(0, 2)).toEqual(['remove i-8', 'remove i-7']);
    expect(runtime.ids()).toContain('i-9');
  });

  it('do not stop the sync when they cannot be removed', async () => {
    const { runtime, sync } = createRig();
    const pod = podOf({ spec });
    await runtime.runPodSandbox(pod, 0);
    for (const id of ['i-8', 'i-9']) runtime.add({ id, name: 'i', state: 'exited' }, pod);
    runtime.failures.set('remove', new RuntimeError('busy'));
    expect((await sync(pod)).calls.at(-1)).toBe('start app-1');
  });
});

describe('a container to kill', () => {
  it('is stopped with the reason and started again', async () => {
    const { recorded, events, state, sync } = createRig();
    await sync(podOf());
    state.failed.add('app-1');
    const { calls, results } = await sync(podOf());
    expect(calls).toEqual(['stop app-1 30', 'create app', 'start app-2']);
    expect(results.map(({ action }) => action)).toEqual(['KillContainer', 'StartContainer']);
    expect(recorded).toContain(
      'app Normal Killing: Container app failed liveness probe, will be restarted',
    );
    expect(events.filter(({ kind }) => kind === 'actions').at(-1)).toMatchObject({
      killPod: false,
      createSandbox: false,
      containersToStart: [{ name: 'app' }],
      containersToKill: [
        {
          name: 'app',
          message: 'Container app failed liveness probe, will be restarted',
          reason: 'LivenessProbe',
        },
      ],
    });
  });

  it('ends the sync when it cannot be stopped', async () => {
    const { runtime, state, sync } = createRig();
    await sync(podOf());
    state.failed.add('app-1');
    runtime.failures.set('stop', new RuntimeError('busy'));
    const { calls, results } = await sync(podOf());
    expect(calls).toEqual(['stop app-1 30']);
    expect(errors(results)).toEqual([{ reason: 'KillContainerError', message: 'busy' }]);
  });
});

describe('a pod to kill', () => {
  const pod = podOf({ spec: { restartPolicy: 'Never' } });

  it('has its sandbox stopped', async () => {
    const { runtime, sync } = createRig();
    await sync(pod);
    runtime.exit('app-1', 0);
    expect(await sync(pod)).toEqual({
      calls: ['stopSandbox sandbox-1'],
      results: [{ action: 'KillPodSandbox', target: 'uid-1' }],
    });
  });

  it('ends the sync when its containers cannot be stopped', async () => {
    const { runtime, sync } = createRig();
    await sync(podOf());
    await runtime.stopPodSandbox('sandbox-1');
    runtime.failures.set('stop', new RuntimeError('busy'));
    const { calls, results } = await sync(podOf());
    expect(calls).toEqual(['stop app-1 30', 'stopSandbox sandbox-1']);
    expect(errors(results)).toHaveLength(1);
  });
});

describe('RestartAllContainers', () => {
  const pod = podOf({
    spec: {
      initContainers: [buildContainer({ name: 'i' })],
      containers: [
        buildContainer({ name: 'a' }),
        buildContainer({
          name: 'b',
          restartPolicy: 'Always',
          restartPolicyRules: [onExit('RestartAllContainers', 42)],
        }),
      ],
    },
  });

  async function createRunning() {
    const rig = createRig();
    await rig.sync(pod);
    rig.runtime.exit('i-1', 0);
    await rig.sync(pod);
    rig.runtime.exit('b-1', 42);
    return rig;
  }

  it('removes all containers, and stops the running ones with the minimum grace period', async () => {
    const { recorded, sync } = await createRunning();
    const { calls, results } = await sync(pod, true);
    expect(calls).toEqual(['stop a-1 2', 'remove a-1', 'remove i-1', 'remove b-1']);
    expect(results).toEqual(
      ['a', 'i', 'b'].map((target) => ({ action: 'RemoveContainer', target })),
    );
    expect(recorded.at(-1)).toBe('a Normal Killing: killing');
    expect((await sync(pod)).calls).toEqual(['create i', 'start i-2']);
  });

  it.each<[string, string]>([
    ['stop', 'KillContainerError'],
    ['remove', 'RemoveContainerError'],
  ])('ends the sync when it cannot %s a container, with %s', async (call, reason) => {
    const { runtime, sync } = await createRunning();
    runtime.failures.set(call, new RuntimeError('busy'));
    const { results } = await sync(pod, true);
    expect(results).toEqual([
      { action: 'RemoveContainer', target: 'a', error: { reason, message: 'busy' } },
    ]);
  });
});

describe('pod IPs', () => {
  it('come from the new sandbox, or from the node for the host network', async () => {
    const { runtime, sync } = createRig();
    const seen: (readonly string[])[] = [];
    const create = runtime.createContainer.bind(runtime);
    runtime.createContainer = (config) => {
      seen.push(config.podIPs);
      return create(config);
    };
    runtime.ips = ['10.0.0.9'];
    await sync(podOf());
    expect(seen).toEqual([['10.0.0.9']]);
    const other = createRig();
    const otherCreate = other.runtime.createContainer.bind(other.runtime);
    other.runtime.createContainer = (config) => {
      seen.push(config.podIPs);
      return otherCreate(config);
    };
    await other.manager.syncPod(
      podOf({ spec: { hostNetwork: true } }),
      { uid: 'uid-1', ips: ['192.168.0.1'], sandboxStatuses: [], containerStatuses: [] },
      false,
    );
    expect(seen[1]).toEqual(['192.168.0.1']);
  });
});
