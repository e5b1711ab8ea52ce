import { describe, expect, it } from 'vitest';

import type { Container } from '../../../src/api/index.js';
import { type Clock, sleep } from '../../../src/clock/clock.js';
import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import {
  ContainerKiller,
  type KillRequest,
} from '../../../src/kubelet/containers/container-killer.js';
import { TerminationOrdering } from '../../../src/kubelet/containers/container-killer.js';
import { HookRunner } from '../../../src/kubelet/containers/hook-runner.js';
import { type ExecResult, RuntimeError } from '../../../src/kubelet/ports.js';
import {
  buildContainer,
  buildExited,
  buildPod,
  buildProbe,
  buildRuntimeContainer,
  buildRuntimePodStatus,
  buildSandbox,
  buildSidecar,
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
  const hooks = new HookRunner({
    clock,
    runtime,
    transports,
    recorder,
    emit: () => undefined,
    kubelet: { version: '1.36' },
  });
  const killer = new ContainerKiller(clock, runtime, recorder, hooks);
  return { clock, runtime, killer, recorded };
}

const SPEC = { terminationGracePeriodSeconds: 30 };
const preStop = { lifecycle: { preStop: { exec: { command: ['drain'] } } } };

/** A command that ends after `milliseconds`. */
const taking =
  (clock: Clock, milliseconds: number, exitCode = 0) =>
  async (): Promise<ExecResult> => {
    await sleep(clock, milliseconds);
    return { kind: 'exited', exitCode, stdout: new Uint8Array(), stderr: new Uint8Array() };
  };

/** Adds the container to the runtime and kills it. */
function kill(
  { runtime, killer }: ReturnType<typeof createRig>,
  container: Partial<Container>,
  overrides: Partial<KillRequest> = {},
  pod: PodOverrides = {},
): Promise<void> {
  const built = buildContainer(container);
  const of = buildPod({ ...pod, spec: { ...SPEC, containers: [built], ...pod.spec } });
  runtime.add({ id: 'app-1', state: 'running' }, of);
  return killer.killContainer({
    pod: of,
    container: built,
    id: 'app-1',
    message: '',
    reason: 'Unknown',
    podIPs: [],
    ...overrides,
  });
}

describe('killContainer', () => {
  it.each<[string, Partial<Container>, Partial<KillRequest>, PodOverrides, number]>([
    ['stops the container with the grace period of the pod', {}, {}, {}, 30],
    [
      'stops the container with the grace period of the failed probe',
      { livenessProbe: buildProbe({ terminationGracePeriodSeconds: 7 }) },
      { reason: 'LivenessProbe' },
      {},
      7,
    ],
    [
      'stops the container with the grace period of the caller',
      {},
      { gracePeriodOverride: 5 },
      {},
      5,
    ],
    [
      'stops the container with a grace period of at least 2 s',
      {},
      { gracePeriodOverride: 0 },
      {},
      2,
    ],
    [
      'stops the container with at least 2 s when the pod asks for 1 s',
      {},
      {},
      { spec: { terminationGracePeriodSeconds: 1 } },
      2,
    ],
  ])('%s', async (_, container, overrides, pod, grace) => {
    const rig = createRig();
    await kill(rig, container, overrides, pod);
    expect(rig.runtime.calls).toEqual([`0 stop app-1 ${grace}`]);
  });

  it.each<[string, string, string]>([
    ['the container name when no message is given', '', 'Stopping container app'],
    [
      'the message when one is given',
      'Container app failed liveness probe',
      'Container app failed liveness probe',
    ],
  ])('records a Killing event with %s', async (_, message, expected) => {
    const rig = createRig();
    await kill(rig, {}, { message });
    expect(rig.recorded).toEqual([`app Normal Killing: ${expected}`]);
  });

  it('succeeds when the container does not exist any more', async () => {
    const rig = createRig();
    rig.runtime.failures.set('stop', new RuntimeError('app-1 not found', 'notFound'));
    await expect(kill(rig, {})).resolves.toBeUndefined();
  });

  it('fails when the container cannot be stopped', async () => {
    const rig = createRig();
    rig.runtime.failures.set('stop', new RuntimeError('timeout'));
    await expect(kill(rig, {})).rejects.toThrow('timeout');
  });
});

describe('a preStop hook', () => {
  it('runs before TERM, and its whole seconds are deducted from the grace period', async () => {
    const rig = createRig();
    rig.runtime.commands.set('drain', taking(rig.clock, 4_900));
    void kill(rig, preStop);
    await rig.clock.advance(60_000);
    expect(rig.runtime.calls).toEqual(['0 exec app-1 drain 0', '4900 stop app-1 26']);
  });

  it('keeps running past the grace period while the container is stopped with 2 s', async () => {
    const rig = createRig();
    rig.runtime.commands.set('drain', taking(rig.clock, 45_000, 1));
    void kill(rig, preStop);
    await rig.clock.advance(44_000);
    expect(rig.runtime.calls).toEqual(['0 exec app-1 drain 0', '30000 stop app-1 2']);
    expect(rig.recorded).toHaveLength(1);
    await rig.clock.advance(2_000);
    expect(rig.recorded).toHaveLength(2);
  });

  it('records FailedPreStopHook without its output when it fails', async () => {
    const rig = createRig();
    rig.runtime.commands.set('drain', taking(rig.clock, 1, 3));
    void kill(rig, preStop);
    await rig.clock.advance(1_000);
    expect(rig.recorded.at(-1)).toBe('app Warning FailedPreStopHook: PreStopHook failed');
    expect(rig.runtime.calls.at(-1)).toBe('1 stop app-1 30');
  });

  it('does not run when the grace period is 0', async () => {
    const rig = createRig();
    await kill(rig, preStop, { gracePeriodOverride: 0 });
    expect(rig.runtime.calls).toEqual(['0 stop app-1 2']);
  });
});

describe('killPod', () => {
  const containers = [buildContainer({ name: 'a' }), buildContainer({ name: 'b' })];
  const running = (name: string) => buildRuntimeContainer({ name });
  const podStatus = buildRuntimePodStatus({
    containerStatuses: [running('a'), running('b'), buildExited(0, { name: 'c' })],
    sandboxStatuses: [buildSandbox(), buildSandbox({ id: 'sandbox-0', state: 'notReady' })],
  });

  /** Kills a pod after adding its containers to the runtime. */
  function killPod(
    rig: ReturnType<typeof createRig>,
    pod: PodOverrides = {},
    status = podStatus,
    grace?: number,
  ) {
    const of = buildPod({ ...pod, spec: { ...SPEC, containers, ...pod.spec } });
    for (const { id, name, state } of status.containerStatuses)
      rig.runtime.add({ id, name, state }, of);
    return rig.killer.killPod(of, status, grace);
  }

  it('stops all running containers at once, then all sandboxes', async () => {
    const rig = createRig();
    rig.runtime.stopTakes = 1_000;
    const results = killPod(rig);
    await rig.clock.advance(5_000);
    expect(rig.runtime.calls).toEqual([
      '0 stop b-1 30',
      '0 stop a-1 30',
      '1000 stopSandbox sandbox-1',
      '1000 stopSandbox sandbox-0',
    ]);
    expect(await results).toEqual([
      { action: 'KillContainer', target: 'a' },
      { action: 'KillContainer', target: 'b' },
      { action: 'KillPodSandbox', target: 'uid-1' },
    ]);
  });

  it('stops all containers with the grace period of the caller', async () => {
    const rig = createRig();
    await settle(rig.clock, killPod(rig, {}, podStatus, 4));
    expect(rig.runtime.calls.slice(0, 2)).toEqual(['0 stop b-1 4', '0 stop a-1 4']);
  });

  it('stops sidecars after the other containers, each with the remaining grace period', async () => {
    const rig = createRig();
    rig.runtime.stopTakes = 3_500;
    const spec = { initContainers: [buildSidecar({ name: 's' }), buildSidecar({ name: 't' })] };
    const names = ['a', 'b', 's', 't'];
    void killPod(rig, { spec }, buildRuntimePodStatus({ containerStatuses: names.map(running) }));
    await rig.clock.advance(60_000);
    expect(rig.runtime.calls).toEqual([
      '0 stop a-1 30',
      '0 stop b-1 30',
      '3500 stop t-1 27',
      '7000 stop s-1 23',
      '10500 stopSandbox sandbox-1',
    ]);
  });

  it('reports what could not be stopped and stops the rest', async () => {
    const rig = createRig();
    rig.runtime.failures.set('stop a-1 30', new RuntimeError('busy'));
    rig.runtime.failures.set('stopSandbox sandbox-1', new RuntimeError('in use'));
    rig.runtime.failures.set('stopSandbox sandbox-0', new RuntimeError('gone', 'notFound'));
    expect(await settle(rig.clock, killPod(rig))).toEqual([
      { action: 'KillContainer', target: 'b' },
      {
        action: 'KillContainer',
        target: 'a',
        error: { reason: 'KillContainerError', message: 'busy' },
      },
      {
        action: 'KillPodSandbox',
        target: 'uid-1',
        error: { reason: 'KillPodSandboxError', message: 'in use' },
      },
    ]);
  });

  it('reports an error for a container that the spec does not name', async () => {
    const rig = createRig();
    const spec = { containers: [buildContainer({ name: 'b' })] };
    const results = await settle(rig.clock, killPod(rig, { spec }));
    expect(results.find(({ target }) => target === 'a')?.error).toEqual({
      reason: 'KillContainerError',
      message:
        'failed to get containerSpec "a" (id="test://a-1") in pod "web_default(uid-1)" when killing container for reason ""',
    });
  });
});

const pod = buildPod({
  spec: {
    initContainers: [
      buildSidecar({ name: 's1' }),
      buildContainer({ name: 'init' }),
      buildSidecar({ name: 's2' }),
      buildSidecar({ name: 's3' }),
    ],
    containers: [buildContainer({ name: 'a' }), buildContainer({ name: 'b' })],
  },
});
const ALL = ['a', 'b', 's1', 's2', 's3'];

/** The seconds that each container waits for its turn when each takes `takes` ms to terminate. */
async function delays(
  running: string[],
  grace: number,
  takes: number,
): Promise<Record<string, number>> {
  const clock = new VirtualClock(1, 0);
  const ordering = new TerminationOrdering(clock, pod, new Set(running));
  const waited: Record<string, number> = {};
  for (const name of running) {
    void ordering.waitForTurn(name, grace).then(async (seconds) => {
      waited[name] = seconds;
      await sleep(clock, takes);
      ordering.containerTerminated(name);
    });
  }
  await clock.advance(60_000);
  return waited;
}

describe('when a pod terminates', () => {
  it('containers do not wait, and sidecars wait in reverse order', async () => {
    expect(await delays(ALL, 30, 1_250)).toEqual({ a: 0, b: 0, s3: 1.25, s2: 2.5, s1: 3.75 });
  });

  it('no container waits for one that does not run', async () => {
    expect(await delays(['a', 's1'], 30, 1_000)).toEqual({ a: 0, s1: 1 });
  });

  it('a sidecar waits only for the next sidecar, and not at all when that one does not run', async () => {
    expect(await delays(['s1', 's3'], 30, 1_000)).toEqual({ s3: 0, s1: 0 });
  });

  it('no container waits longer than the grace period', async () => {
    expect(await delays(ALL, 2, 1_000)).toEqual({ a: 0, b: 0, s3: 1, s2: 2, s1: 2 });
  });

  it('a sidecar waits for all regular containers', async () => {
    const clock = new VirtualClock(1, 0);
    const ordering = new TerminationOrdering(clock, pod, new Set(['a', 'b', 's3']));
    let waited = -1;
    void ordering.waitForTurn('s3', 30).then((seconds) => (waited = seconds));
    await clock.advance(1_000);
    ordering.containerTerminated('a');
    await clock.advance(1_000);
    expect(waited).toBe(-1);
    ordering.containerTerminated('b');
    await clock.advance(0);
    expect(waited).toBe(2);
  });
});
