import { getEventListeners } from 'node:events';

import { describe, expect, it } from 'vitest';

import type { ContainerStatus, PodStatus } from '../../../src/api/index.js';
import { RealClock } from '../../../src/clock/real-clock.js';
import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { Kubelet } from '../../../src/kubelet/kubelet.js';
import type { ContainerConfig } from '../../../src/kubelet/ports.js';
import { TracedRuntime } from '../../../src/kubelet/traced-runtime.js';
import { ClusterContainers, clusterRuntime } from '../../../src/session/cluster/cluster-target.js';
import type { Event } from '../../../src/trace/event.js';
import {
  buildContainer,
  buildContainerStatus,
  buildPod,
  buildProbe,
} from '../../helpers/builders.js';
import { fakeTransports } from '../../helpers/fake-transports.js';

const probed = buildContainer({ livenessProbe: buildProbe({ periodSeconds: 5 }) });
const pod = buildPod({ spec: { containers: [probed] } });
const PROBED = pod;

function running(id: string, startedAt: number, last?: number): PodStatus {
  const terminated = last === undefined ? {} : { terminated: endedWith(last) };
  return {
    podIP: '10.1.2.3',
    containerStatuses: [
      buildContainerStatus({
        containerID: `containerd://${id}`,
        state: { running: { startedAt } },
        lastTerminationState: terminated,
      }),
    ],
  };
}

function endedWith(exitCode: number) {
  return { exitCode, reason: 'Error', message: '', finishedAt: 40, startedAt: 1 } as never;
}

function backingOff(exitCode: number): PodStatus {
  return {
    podIP: '10.1.2.3',
    containerStatuses: [
      buildContainerStatus({
        state: { waiting: { reason: 'CrashLoopBackOff' } },
        lastTerminationState: { terminated: endedWith(exitCode) },
      }),
    ],
  };
}

function rig(status: PodStatus, clock: RealClock | VirtualClock = new RealClock()) {
  const seen: string[] = [];
  const containers = new ClusterContainers({
    release: '1.34',
    ...{ clock, pod, status },
    exec: () => Promise.resolve({ kind: 'error', message: 'not used' }),
  });
  const runtime = clusterRuntime({
    ...{ clock, containers, status },
    host: { env: {}, cwd: '/' } as never,
    listener: {
      onExit: (id, { exitCode }) => seen.push(`${id} exited ${exitCode}`),
      onOutput: () => undefined,
      onMessage: () => undefined,
      onFound: (id, { container }) => seen.push(`${id} found ${container}`),
      onNote: (_, text) => seen.push(text),
    },
  });
  const config: ContainerConfig = {
    ...{ pod, container: probed, sandboxID: 's', restartCount: 0 },
    ...{ hash: 'h', imageRef: 'i', podIPs: ['10.1.2.3'] },
  };
  const start = async (): Promise<string> => {
    const id = await runtime.createContainer(config);
    await runtime.startContainer(id);
    return id;
  };
  const statuses = async () => {
    const { containerStatuses } = await runtime.getPodStatus({
      ...{ uid: pod.metadata.uid, name: 'web', namespace: 'default' },
      ...{ containers: [], sandboxes: [] },
    });
    return containerStatuses;
  };
  return { containers, runtime, seen, start, statuses };
}

/** A kubelet with the containers of a cluster, and what it did since the last time. */
function kubeletRig(status: PodStatus, pod = PROBED, release = '1.34') {
  const clock = new VirtualClock(1, 0);
  const containers = new ClusterContainers({
    ...{ clock, pod, status, release },
    exec: () => Promise.resolve({ kind: 'error', message: 'not used' }),
  });
  const events: Event[] = [];
  const emit = (event: Event): void => void events.push(event);
  const host = { env: {}, cwd: '/' } as never;
  const runtime = new TracedRuntime(emit, (listener) =>
    clusterRuntime({ clock, containers, status, host, listener }),
  );
  const { transports } = fakeTransports();
  const kubelet = new Kubelet({
    ...{ clock, runtime, emit, transports },
    ...{ age: 3_600_000, hostIP: '192.0.2.1', config: { version: release } },
  });
  kubelet.start();
  const took = (): string[] => [...new Set(events.splice(0).flatMap(textOf))];
  return { clock, containers, events, kubelet, took };
}

function textOf(event: Event): string[] {
  switch (event.kind) {
    case 'status':
      return event.containers.map(({ state }) => state);
    case 'started':
      return [`started ${event.run}`];
    case 'exited':
      return [`exited ${event.exitCode} by ${event.restartedBy}`];
    case 'actions':
      return event.containersToStart.map(({ name }) => `starts ${name}`);
    case 'startFailed':
    case 'backOff':
      return [event.kind];
    case 'event':
      return event.reason === 'Unhealthy' ? [] : [event.reason];
    default:
      return [];
  }
}

describe('ClusterContainers', () => {
  it('has the containers of the cluster since they were started there', async () => {
    const { start, statuses } = rig(running('a', 1000));
    await start();
    expect(await statuses()).toMatchObject([{ state: 'running', startedAt: 1000 }]);
  });

  it('tells when a run began that the cluster had started before', async () => {
    const { clock, containers, events, kubelet } = kubeletRig(running('a', -40_000));
    kubelet.update('ADD', PROBED);
    await clock.advance(2000);
    containers.observe(running('b', 1500, 3));
    await clock.advance(2000);
    const starts = events.flatMap((event) => (event.kind === 'started' ? event.at : []));
    expect(starts).toEqual([-40_000, 1500]);
  });

  it.each(['1.32', '1.34', '1.36', '1.37'])(
    'keeps a container started that has started in the cluster, for a kubelet of %s',
    async (release) => {
      const attempts = async (started: boolean): Promise<readonly unknown[]> => {
        const [startupProbe, readinessProbe] = [buildProbe({ periodSeconds: 7 }), buildProbe()];
        const livenessProbe = buildProbe({ initialDelaySeconds: 60 });
        const app = buildContainer({ startupProbe, readinessProbe, livenessProbe });
        const status = running('a', -40_000);
        const containerStatuses = status.containerStatuses?.map((c) => ({ ...c, started }));
        const rig = kubeletRig(
          { ...status, containerStatuses } as PodStatus,
          buildPod({ spec: { containers: [app] } }),
          release,
        );
        rig.kubelet.update('ADD', buildPod({ spec: { containers: [app] } }));
        await rig.clock.advance(2000);
        await rig.clock.advance(20_000);
        return rig.events.flatMap((event): unknown => {
          if (event.kind === 'attempt') return `${event.probe} ${event.attempt}`;
          return event.kind === 'status' ? event.containers.map((c) => c.started) : [];
        });
      };
      const seen = await attempts(true);
      expect(seen[0]).toBe(true);
      expect(seen).not.toContain(false);
      expect(seen).not.toContain('startup 1');
      expect(seen).toContain('liveness 1');
      expect((await attempts(false)).slice(0, 2)).toEqual([false, 'startup 1']);
    },
  );

  it('keeps no listener of a command that has ended', async () => {
    const { signal } = new AbortController();
    const { containers } = rig(running('a', 1000));
    const exec = containers.find(pod, probed)?.exec;
    await exec?.(['true'], { timeoutSeconds: 1, signal } as never);
    expect(exec).toBeDefined();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it("ends a run with the end that the cluster's kubelet reports, and takes over the next", async () => {
    const { containers, start, seen } = rig(running('a', 1000));
    const id = await start();
    containers.observe(running('b', 5000, 3));
    await expect.poll(() => seen).toEqual([`${id} exited 3`, 'app-1 found app']);
  });

  it("takes over a container's first run when the cluster's kubelet has started it", async () => {
    const { containers, runtime, seen, statuses } = rig(backingOff(3));
    await runtime.runPodSandbox(pod, 0);
    expect(runtime.waitingState(pod, probed)).toEqual({ reason: 'CrashLoopBackOff' });
    containers.observe(running('b', 9000));
    await expect.poll(() => seen).toEqual(['app-0 found app']);
    expect((await statuses())[0]).toMatchObject({
      ...{ state: 'running', startedAt: 9000, restartCount: 0 },
    });
    expect(runtime.waitingState(pod, probed)).toEqual({});
  });

  it("holds a container that has ended until the cluster's kubelet starts it again", async () => {
    const { containers, runtime, start, seen } = rig(running('a', 1000));
    const id = await start();
    containers.observe(backingOff(3));
    await expect.poll(() => seen).toEqual([`${id} exited 3`]);
    expect(runtime.waitingState(pod, probed)).toEqual({ reason: 'CrashLoopBackOff' });
  });

  it("shows the cluster's back-off, and plays neither a start nor a back-off of its own", async () => {
    const { clock, containers, kubelet, took } = kubeletRig(backingOff(3));
    kubelet.update('ADD', pod);
    await clock.advance(60_000);
    expect(took()).toEqual(['waiting ContainerCreating', 'waiting CrashLoopBackOff']);
    containers.observe(running('b', clock.now() - 500));
    await clock.advance(1500);
    expect(took()).toEqual(['started 0', 'running']);
    containers.observe(backingOff(3));
    await clock.advance(60_000);
    expect(took()).toEqual(['exited 3 by cluster', 'waiting CrashLoopBackOff']);
    containers.observe(running('c', clock.now()));
    await clock.advance(1500);
    expect(took()).toEqual(['started 1', 'running']);
  });

  it("follows the cluster's init containers, and passes one that has succeeded there", async () => {
    const initContainers = [buildContainer({ name: 'fetch' }), buildContainer({ name: 'migrate' })];
    const withInits = buildPod({ spec: { initContainers, containers: [probed] } });
    const fetch = { terminated: endedWith(0) };
    const status = (migrate: ContainerStatus['state']): PodStatus => ({
      initContainerStatuses: [
        buildContainerStatus({ name: 'fetch', state: fetch }),
        buildContainerStatus({ name: 'migrate', state: migrate }),
      ],
      containerStatuses: [buildContainerStatus({ state: { waiting: { reason: '' } } })],
    });
    const { clock, containers, kubelet, took } = kubeletRig(
      status({ running: { startedAt: 50 } }),
      withInits,
    );
    kubelet.update('ADD', withInits);
    await clock.advance(5000);
    expect(took().filter((text) => /start|exit/.test(text))).toEqual(['started 0']);
    containers.observe(status({ terminated: endedWith(2) }));
    await clock.advance(5000);
    expect(took().filter((text) => /start|exit/.test(text))).toEqual(['exited 2 by cluster']);
  });

  it("leaves the kill to the cluster's kubelet", async () => {
    const { containers, runtime, start, seen } = rig(running('a', 1000));
    const id = await start();
    const stopped = runtime.stopContainer(id, 1);
    await expect
      .poll(() => seen)
      .toEqual(['the kubelet of v1.34 would now kill app: kprobe leaves it alone']);
    containers.observe(backingOff(137));
    await stopped;
    expect(seen.at(-1)).toBe(`${id} exited 137`);
  });

  it("simulates the restart when the cluster's kubelet does not kill it", async () => {
    const clock = new VirtualClock();
    const { runtime, start, seen, statuses } = rig(running('a', 0), clock);
    const id = await start();
    const stopped = runtime.stopContainer(id, 1);
    await expect.poll(() => seen).toHaveLength(1);
    await clock.advance(9000);
    await stopped;
    expect(seen.slice(1)).toEqual([
      "the cluster's kubelet has not killed app: its restart is simulated",
      `${id} exited 143`,
    ]);
    await start();
    expect((await statuses())[0]).toMatchObject({ state: 'running', startedAt: clock.now() });
  });

  it('has an error while the API server cannot be reached', async () => {
    const { containers, runtime } = rig(running('a', 0));
    await expect(runtime.status()).resolves.toBeUndefined();
    containers.connection('connection refused');
    await expect(runtime.status()).rejects.toThrow('connection refused');
  });
});
