import { describe, expect, it } from 'vitest';

import type { PodStatus } from '../../../src/api/index.js';
import { RealClock } from '../../../src/clock/real-clock.js';
import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import type { ContainerConfig } from '../../../src/kubelet/ports.js';
import { ClusterContainers, clusterRuntime } from '../../../src/session/cluster/cluster-target.js';
import {
  buildContainer,
  buildContainerStatus,
  buildPod,
  buildProbe,
} from '../../helpers/builders.js';

const probed = buildContainer({ livenessProbe: buildProbe({ periodSeconds: 5 }) });
const pod = buildPod({ spec: { containers: [probed] } });

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

describe('ClusterContainers', () => {
  it('has the containers of the cluster since they were started there', async () => {
    const { start, statuses } = rig(running('a', 1000));
    await start();
    expect(await statuses()).toMatchObject([{ state: 'running', startedAt: 1000 }]);
  });

  it("ends a run with the end that the cluster's kubelet reports, and takes over the next", async () => {
    const { containers, start, seen } = rig(running('a', 1000));
    const id = await start();
    containers.observe(running('b', 5000, 3));
    await expect.poll(() => seen).toEqual([`${id} exited 3`, 'app-1 found app']);
  });

  it('cannot start a container that does not run in the cluster yet, and takes it over later', async () => {
    const { containers, start, seen, statuses } = rig(backingOff(3));
    await expect(start()).rejects.toThrow(
      "the cluster's kubelet has not started app: CrashLoopBackOff",
    );
    containers.observe(running('b', 9000));
    await expect.poll(() => seen).toEqual(['app-1 found app']);
    expect((await statuses())[0]).toMatchObject({ state: 'running', startedAt: 9000 });
  });

  it("waits for the cluster's kubelet to start a container again", async () => {
    const { containers, start, statuses } = rig(running('a', 1000));
    await start();
    containers.observe(backingOff(3));
    setTimeout(() => containers.observe(running('b', 9000)), 100);
    await start();
    expect((await statuses())[0]).toMatchObject({ state: 'running', startedAt: 9000 });
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
