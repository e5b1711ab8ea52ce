import { describe, expect, it } from 'vitest';

import type { Pod, PodStatus } from '../../../src/api/index.js';
import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { Backoff } from '../../../src/kubelet/containers/backoff.js';
import { ContainerKiller } from '../../../src/kubelet/containers/container-killer.js';
import { ContainerStarter } from '../../../src/kubelet/containers/container-starter.js';
import { HookRunner } from '../../../src/kubelet/containers/hook-runner.js';
import { RuntimeManager } from '../../../src/kubelet/containers/runtime-manager.js';
import { RuntimeError } from '../../../src/kubelet/ports.js';
import { ProberManager } from '../../../src/kubelet/prober/prober-manager.js';
import { DEFAULT_BEHAVIOR } from '../../../src/kubelet/release.js';
import { StatusManager } from '../../../src/kubelet/status/status-manager.js';
import { KubeletPodSyncer, onPodSandboxReady } from '../../../src/kubelet/sync/pod-syncer.js';
import type { SyncPodOutcome } from '../../../src/kubelet/sync/pod-workers.js';
import {
  buildContainer,
  buildPod,
  buildProbe,
  buildRuntimePod,
  onExit,
  type PodOverrides,
} from '../../helpers/builders.js';
import { FakeProber } from '../../helpers/fake-prober.js';
import { fakeRecorder } from '../../helpers/fake-recorder.js';
import { FakeRuntime } from '../../helpers/fake-runtime.js';
import { fakeTransports } from '../../helpers/fake-transports.js';
import { settle } from '../../helpers/settle.js';

/** A pod syncer with a fake runtime, at 1 s past the epoch. */
function createRig() {
  const clock = new VirtualClock(1, 1_000);
  const runtime = new FakeRuntime(clock);
  const { recorder, recorded } = fakeRecorder();
  const statuses: PodStatus[] = [];
  const statusManager = new StatusManager(
    clock,
    () => undefined,
    (_, status) => statuses.push(status),
  );
  const proberManager = new ProberManager({
    clock,
    prober: new FakeProber(clock),
    kubeletStart: -3_600_000,
    getPodStatus: (uid) => statusManager.getPodStatus(uid),
    onUpdate: () => undefined,
    emit: () => undefined,
  });
  const { transports } = fakeTransports();
  const emit = (): void => undefined;
  const hooks = new HookRunner({
    clock,
    runtime,
    transports,
    recorder,
    emit,
    kubelet: { version: '' },
  });
  const killer = new ContainerKiller(clock, runtime, recorder, hooks);
  const backOff = new Backoff(clock, 10_000, 300_000);
  const behavior = DEFAULT_BEHAVIOR;
  const starting = {
    ...{ clock, runtime, recorder, backOff, images: undefined, hooks, killer, behavior, emit },
  };
  const runtimeManager = new RuntimeManager({
    behavior,
    runtime,
    recorder,
    starter: new ContainerStarter(starting),
    killer,
    emit,
    probeResults: { liveness: () => undefined, startup: () => undefined },
    onPodSandboxReady: (pod) => onPodSandboxReady(pod, clock, statusManager),
    isPodTerminationRequested: () => false,
  });
  const requested: string[] = [];
  const syncer: KubeletPodSyncer = new KubeletPodSyncer({
    clock,
    runtime,
    runtimeManager,
    statusManager,
    proberManager,
    recorder,
    hostIP: '192.0.2.1',
    behavior,
    requestSync: ({ metadata }) => requested.push(metadata.uid),
  });
  const seen = () => runtime.getPodStatus(buildRuntimePod());
  const sync = async (pod: Pod): Promise<SyncPodOutcome> =>
    settle(clock, syncer.syncPod('sync', pod, await seen()));
  const terminate = async (pod: Pod, grace?: number): Promise<void> =>
    settle(clock, syncer.syncTerminatingPod(pod, await seen(), grace));
  const last = async (pod: Pod): Promise<void> => syncer.syncTerminatedPod(pod, await seen());
  const status = (): PodStatus | undefined => statusManager.getPodStatus('uid-1');
  const probed = (): boolean => proberManager.trigger('uid-1', 'app', 'readiness');
  const rig = { clock, runtime, recorded, statuses, statusManager, requested, syncer };
  return { ...rig, sync, terminate, last, status, probed };
}

const podOf = (overrides: PodOverrides = {}): Pod =>
  buildPod({
    ...overrides,
    spec: {
      terminationGracePeriodSeconds: 30,
      containers: [buildContainer({ readinessProbe: buildProbe() })],
      ...overrides.spec,
    },
  });
const conditionOf = (status: PodStatus | undefined, type: string) =>
  status?.conditions?.find((c) => c.type === type)?.status;

describe('syncPod', () => {
  it('sets the status first, then probes and starts the containers', async () => {
    const { runtime, statuses, sync, probed } = createRig();
    expect(await sync(podOf())).toEqual({ isTerminal: false, relist: true });
    expect(statuses[0]).toMatchObject({
      phase: 'Pending',
      containerStatuses: [{ state: { waiting: { reason: 'ContainerCreating' } } }],
    });
    expect(probed()).toBe(true);
    expect(runtime.calls.at(-1)).toBe('1000 start app-1');
  });

  it('requests no relist when nothing changed', async () => {
    const { sync, status } = createRig();
    await sync(podOf());
    expect(await sync(podOf())).toEqual({ isTerminal: false, relist: false });
    expect(status()?.phase).toBe('Running');
  });

  it('sets the phase of a pod that has ended and does nothing more', async () => {
    const { runtime, sync, status } = createRig();
    const pod = podOf({ spec: { restartPolicy: 'Never' } });
    await sync(pod);
    runtime.exit('app-1', 0);
    const before = runtime.calls.length;
    expect(await sync(pod)).toEqual({ isTerminal: true, relist: false });
    expect([status()?.phase, runtime.calls.length]).toEqual(['Succeeded', before]);
  });

  it('fails when a container does not start, and the next status has the reason', async () => {
    const { runtime, syncer, sync, status } = createRig();
    runtime.failures.set('start', new RuntimeError('no such file'));
    await expect(sync(podOf())).rejects.toThrow(
      'failed to "StartContainer" for "app" with RunContainerError: "no such file"',
    );
    expect(syncer.reasonCache.get('uid-1', 'app')).toEqual({
      reason: 'RunContainerError',
      message: 'no such file',
    });
    await expect(sync(podOf())).rejects.toThrow();
    expect(status()?.containerStatuses?.[0]?.state.waiting).toEqual({
      reason: 'RunContainerError',
      message: 'no such file',
    });
  });

  it('passes the node IP to containers on the host network', async () => {
    const { runtime, sync } = createRig();
    const seen: (readonly string[])[] = [];
    const create = runtime.createContainer.bind(runtime);
    runtime.createContainer = (config) => {
      seen.push(config.podIPs);
      return create(config);
    };
    await sync(podOf({ spec: { hostNetwork: true } }));
    expect(seen).toEqual([['192.0.2.1']]);
  });
});

describe('onPodSandboxReady', () => {
  it('sets its condition before the containers start', async () => {
    const { clock, runtime, sync, status } = createRig();
    runtime.startTakes = 5_000;
    const synced = sync(podOf({ metadata: { generation: 3 } }));
    await clock.advance(0);
    expect(status()?.conditions).toContainEqual({
      type: 'PodReadyToStartContainers',
      status: 'True',
      observedGeneration: 3,
      lastTransitionTime: 1_000,
    });
    await clock.advance(5_000);
    await synced;
  });

  it("uses the pod's own status when there is no other", async () => {
    const { clock, statusManager, status } = createRig();
    onPodSandboxReady(podOf({ status: { phase: 'Running' } }), clock, statusManager);
    expect(status()).toBeUndefined();
    await clock.advance(0);
    expect(status()?.phase).toBe('Running');
    expect(status()?.conditions).toEqual([
      { type: 'PodReadyToStartContainers', status: 'True', lastTransitionTime: 1_000 },
    ]);
  });
});

describe('RestartAllContainers', () => {
  const pod = podOf({
    spec: {
      containers: [
        buildContainer({
          restartPolicy: 'Always',
          restartPolicyRules: [onExit('RestartAllContainers', 42)],
        }),
      ],
    },
  });

  it('removes the containers and requests the next sync at once', async () => {
    const { runtime, requested, sync, status } = createRig();
    await sync(pod);
    runtime.exit('app-1', 42);
    expect(await sync(pod)).toEqual({ isTerminal: false, relist: true });
    expect(conditionOf(status(), 'AllContainersRestarting')).toBe('True');
    expect([runtime.ids(), requested]).toEqual([[], ['uid-1']]);
    await sync(pod);
    expect(runtime.ids()).toEqual(['app-2']);
    expect(requested).toHaveLength(1);
  });

  it('requests no sync when it fails', async () => {
    const { runtime, requested, sync } = createRig();
    await sync(pod);
    runtime.exit('app-1', 42);
    runtime.failures.set('remove', new RuntimeError('busy'));
    await expect(sync(pod)).rejects.toThrow('RemoveContainerError');
    expect(requested).toEqual([]);
  });
});

describe('the termination of a pod', () => {
  it('stops the containers, then the probes, and sets the final status', async () => {
    const { runtime, statuses, sync, terminate, status, probed } = createRig();
    await sync(podOf());
    await sync(podOf());
    statuses.length = 0;
    await terminate(podOf());
    expect(runtime.calls.slice(-2)).toEqual(['1000 stop app-1 30', '1000 stopSandbox sandbox-1']);
    expect(probed()).toBe(false);
    expect(statuses.map(({ phase }) => phase)).toEqual(['Running', 'Failed']);
    expect(status()).toMatchObject({
      containerStatuses: [{ state: { terminated: { exitCode: 143 } } }],
      podIPs: ['10.0.0.1'],
    });
  });

  it('keeps probing readiness while containers stop', async () => {
    const { clock, runtime, sync, terminate, probed } = createRig();
    await sync(podOf());
    runtime.stopTakes = 5_000;
    const ended = terminate(podOf());
    await clock.advance(4_999);
    expect(probed()).toBe(true);
    await clock.advance(1);
    await ended;
    expect(probed()).toBe(false);
  });

  it('uses the given grace period', async () => {
    const { runtime, sync, terminate } = createRig();
    await sync(podOf());
    await terminate(podOf(), 7);
    expect(runtime.calls.at(-2)).toBe('1000 stop app-1 7');
  });

  it('records FailedKillPod and keeps probing when a container cannot be stopped', async () => {
    const { runtime, recorded, sync, terminate, probed } = createRig();
    await sync(podOf());
    runtime.failures.set('stop', new RuntimeError('busy'));
    await expect(terminate(podOf())).rejects.toThrow('error killing terminating pod: ');
    expect(recorded.at(-1)).toBe(
      'pod Warning FailedKillPod: error killing pod: failed to "KillContainer" for "app" with KillContainerError: "busy"',
    );
    expect(probed()).toBe(true);
  });

  it('fails when a container still runs afterward', async () => {
    const { runtime, sync, terminate } = createRig();
    await sync(podOf());
    runtime.stopContainer = () => Promise.resolve();
    await expect(terminate(podOf())).rejects.toThrow(
      'detected running containers after a successful KillPod, CRI violation: [app-1]',
    );
  });

  it('fails when the pod status cannot be read', async () => {
    const { runtime, sync, terminate } = createRig();
    await sync(podOf());
    runtime.failures.set('getPods', new RuntimeError('down'));
    await expect(terminate(podOf())).rejects.toThrow(
      'unable to read pod status prior to final pod termination: down',
    );
  });

  it('succeeds for a pod that is unknown to the runtime', async () => {
    const { terminate, last, status } = createRig();
    await terminate(podOf());
    expect(status()?.phase).toBe('Pending');
    await last(podOf());
    expect(status()?.phase).toBe('Failed');
  });

  it('sets containers that never ran to ContainerStatusUnknown in its last step', async () => {
    const { clock, sync, last, status, runtime } = createRig();
    runtime.failures.set('create app', new RuntimeError('no'));
    await expect(sync(podOf())).rejects.toThrow();
    await clock.advance(0);
    await last(podOf());
    expect(status()?.containerStatuses?.[0]?.state.terminated).toMatchObject({
      exitCode: 137,
      reason: 'ContainerStatusUnknown',
    });
  });
});

describe('the active deadline', () => {
  const pod = podOf({ spec: { activeDeadlineSeconds: 5 } });

  it.each<[string, number | undefined, number | undefined, number, boolean]>([
    ['never passes without one', undefined, 1_000, 100_000, false],
    ['never passes before the pod has a start time', 5, undefined, 100_000, false],
    ['has not passed 1 ms before it', 5, 1_000, 4_999, false],
    ['has passed at it', 5, 1_000, 5_000, true],
  ])('%s', async (_, activeDeadlineSeconds, startTime, wait, past) => {
    const { clock, syncer } = createRig();
    await clock.advance(wait);
    const pod = podOf({
      spec: activeDeadlineSeconds === undefined ? {} : { activeDeadlineSeconds },
      status: startTime === undefined ? { phase: 'Pending' } : { phase: 'Pending', startTime },
    });
    expect(syncer.pastActiveDeadline(pod)).toBe(past);
  });

  it("counts from the status manager's start time, not from the pod's", async () => {
    const { clock, syncer, sync } = createRig();
    await sync(pod);
    await clock.advance(5_000);
    const started = { ...pod, status: { phase: 'Running', startTime: 3_000 } } as const;
    expect(syncer.pastActiveDeadline(started)).toBe(true);
  });

  it('ends the pod and records DeadlineExceeded', async () => {
    const { clock, recorded, sync, status } = createRig();
    await sync(pod);
    await clock.advance(5_000);
    expect(await sync(pod)).toEqual({ isTerminal: true, relist: false });
    expect(status()).toMatchObject({
      phase: 'Failed',
      reason: 'DeadlineExceeded',
      message: 'Pod was active on the node longer than the specified deadline',
    });
    expect(recorded.filter((text) => text.includes('Deadline'))).toEqual([
      'pod Normal DeadlineExceeded: Pod was active on the node longer than the specified deadline',
    ]);
  });
});
