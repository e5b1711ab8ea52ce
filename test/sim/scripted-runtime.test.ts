import { describe, expect, it } from 'vitest';

import type { Pod } from '../../src/api/index.js';
import { VirtualClock } from '../../src/clock/virtual-clock.js';
import { RuntimeError } from '../../src/kubelet/ports.js';
import { ScriptedRuntime } from '../../src/sim/scripted-runtime.js';
import { buildContainer, buildPod, buildRuntimePod } from '../helpers/builders.js';
import { buildRun, type RunOverrides } from '../helpers/kubelet-rig.js';

function createRig(runs: readonly RunOverrides[] = []) {
  const clock = new VirtualClock(1, 0);
  const exits: string[] = [];
  const runtime = new ScriptedRuntime(
    clock,
    { app: runs.map(buildRun) },
    {
      onExit: (id, { exitCode }) => exits.push(`${clock.now()} ${id} ${exitCode}`),
      onOutput: () => undefined,
    },
  );
  const create = (name = 'app', pod: Pod = buildPod()): Promise<string> =>
    runtime.createContainer({
      pod,
      container: buildContainer({ name }),
      sandboxID: 'sandbox-0',
      restartCount: 0,
      hash: '',
      imageRef: '',
      podIPs: [],
    });
  /** Creates and starts a container; returns its ID. */
  const started = async (name?: string): Promise<string> => {
    const id = await create(name);
    const start = runtime.startContainer(id);
    await clock.advance(3);
    await start;
    return id;
  };
  return { clock, runtime, exits, create, started };
}

describe('sandboxes', () => {
  it('are listed newest first, with the IP of the newest if it is ready', async () => {
    const { runtime } = createRig();
    const made = [
      await runtime.runPodSandbox(buildPod(), 0),
      await runtime.runPodSandbox(buildPod(), 1),
    ];
    expect(made.map(({ ips }) => ips)).toEqual([['192.168.192.168'], ['192.168.192.168']]);
    const [older, newer] = made.map(({ id }) => id) as [string, string];
    expect(await runtime.getPodStatus(buildRuntimePod())).toMatchObject({
      uid: 'uid-1',
      ips: ['192.168.192.168'],
      sandboxStatuses: [
        { id: newer, state: 'ready', attempt: 1, hostNetwork: false },
        { id: older, state: 'ready', attempt: 0 },
      ],
    });
    await runtime.stopPodSandbox(newer);
    expect(await runtime.getPodStatus(buildRuntimePod())).toMatchObject({
      ips: [],
      sandboxStatuses: [{ id: newer, state: 'notReady' }, { state: 'ready' }],
    });
    await runtime.removePodSandbox(newer);
    const [pod] = await runtime.getPods();
    expect(pod?.sandboxes).toEqual([{ id: older, state: 'ready' }]);
  });

  it('use the host network when their pod does', async () => {
    const { runtime } = createRig();
    await runtime.runPodSandbox(buildPod({ spec: { hostNetwork: true } }), 0);
    const { sandboxStatuses } = await runtime.getPodStatus(buildRuntimePod());
    expect(sandboxStatuses[0]?.hostNetwork).toBe(true);
  });

  it('that do not exist are stopped and removed without an error', async () => {
    const { runtime } = createRig();
    await runtime.stopPodSandbox('gone');
    await runtime.removePodSandbox('gone');
    expect(await runtime.getPods()).toEqual([]);
  });
});

describe('pods', () => {
  it('are listed with their own containers, newest first', async () => {
    const { runtime, create } = createRig();
    const other = buildPod({ metadata: { name: 'other', uid: 'uid-2' } });
    await runtime.runPodSandbox(buildPod(), 0);
    await runtime.runPodSandbox(other, 0);
    const ids = [await create('a'), await create('b'), await create('c', other)];
    const pods = await runtime.getPods();
    const listed = Object.fromEntries(
      pods.map(({ uid, containers }) => [
        uid,
        containers.map((c) => `${c.id} ${c.name} ${c.state} ${c.sandboxID}`),
      ]),
    );
    expect(listed).toEqual({
      'uid-1': [`${ids[1]} b created sandbox-0`, `${ids[0]} a created sandbox-0`],
      'uid-2': [`${ids[2]} c created sandbox-0`],
    });
  });
});

describe('a container', () => {
  it('takes 3 ms to start', async () => {
    const { clock, runtime, create } = createRig();
    const id = await create();
    const start = runtime.startContainer(id).then(() => clock.now());
    await clock.advance(10);
    expect(await start).toBe(3);
    const { containerStatuses } = await runtime.getPodStatus(buildRuntimePod());
    expect(containerStatuses).toMatchObject([{ id, state: 'running', startedAt: 3 }]);
  });

  it('does the scripted runs in order, then repeats the last one', async () => {
    const { clock, started, exits } = createRig([
      { exitAfter: 10, exitCode: 1 },
      { exitAfter: 10, exitCode: 2 },
    ]);
    for (let run = 0; run < 3; run++) {
      await started();
      await clock.advance(10);
    }
    expect(exits.map((exit) => exit.split(' ')[2])).toEqual(['1', '2', '2']);
  });

  it('without a script runs forever', async () => {
    const { clock, started, exits } = createRig([{ exitAfter: 10 }]);
    await started('other');
    await clock.advance(1e9);
    expect(exits).toEqual([]);
  });

  it('with a start error does not start, and counts as a run', async () => {
    const { runtime, create, started, clock, exits } = createRig([
      { startError: 'no file' },
      { exitAfter: 10 },
    ]);
    const id = await create();
    await expect(runtime.startContainer(id)).rejects.toThrow(new RuntimeError('no file'));
    const { containerStatuses } = await runtime.getPodStatus(buildRuntimePod());
    expect(containerStatuses[0]?.state).toBe('created');
    await started();
    await clock.advance(10);
    expect(exits).toHaveLength(1);
  });

  it('with a start error fails as late as a recorded start', async () => {
    const { runtime, create, clock } = createRig([{ startError: 'no file', startTakes: 2000 }]);
    const failed = runtime.startContainer(await create()).catch(() => clock.now());
    await clock.advance(5000);
    expect(await failed).toBe(2000);
  });

  it('can be stopped, run commands and be removed by its ID', async () => {
    const { clock, runtime, started, exits } = createRig([{ exec: { 'cat x': [{ exit: 4 }] } }]);
    const id = await started();
    const exec = runtime.execSync(id, ['cat', 'x'], 1);
    await clock.advance(7);
    expect(await exec).toMatchObject({ kind: 'exited', exitCode: 4 });
    const stop = runtime.stopContainer(id, 30);
    await clock.advance(11);
    await stop;
    expect(exits).toEqual([`21 ${id} 143`]);
    await runtime.removeContainer(id);
    expect((await runtime.getPodStatus(buildRuntimePod())).containerStatuses).toEqual([]);
  });

  it('that does not exist is an error', async () => {
    const { runtime } = createRig();
    const gone = new RuntimeError('container gone not found', 'notFound');
    await expect(runtime.startContainer('gone')).rejects.toEqual(gone);
  });

  it('that was removed kills commands that still run in it', async () => {
    const { clock, runtime, started } = createRig();
    const id = await started();
    await clock.advance(3);
    await runtime.removeContainer(id);
    const end = await runtime.execSync(id, ['true'], 1);
    expect(end).toMatchObject({ kind: 'exited', exitCode: 137 });
  });

  it.each([
    ['with runAsNonRoot and runAsUser 0 cannot be created', { runAsUser: 0 }, 'configuration'],
    ['with runAsNonRoot can be created', {}, undefined],
  ])('%s', async (_, user, code) => {
    const { create } = createRig();
    const pod = buildPod({ spec: { securityContext: { runAsNonRoot: true, ...user } } });
    const refused = await create('app', pod).then(
      () => undefined,
      (error: unknown) => error instanceof RuntimeError && error.code,
    );
    expect(refused).toBe(code);
  });
});

describe('images', () => {
  it('are present once pulled', async () => {
    const { images } = createRig().runtime;
    expect(await images.getImageRef('app:1')).toBeUndefined();
    expect(await images.pullImage('app:1')).toEqual({ ref: 'app:1', size: 0 });
    expect(await images.getImageRef('app:1')).toBe('app:1');
  });
});

describe('the runtime', () => {
  it('is always up', async () => {
    await expect(createRig().runtime.status()).resolves.toBeUndefined();
  });
});
