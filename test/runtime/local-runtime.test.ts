import { setImmediate } from 'node:timers/promises';

import { expect, test, vi } from 'vitest';

import { VirtualClock } from '../../src/clock/virtual-clock.js';
import type { ExecResult, RuntimePod } from '../../src/kubelet/ports.js';
import { RuntimeError } from '../../src/kubelet/ports.js';
import type { LocalExecOptions } from '../../src/runtime/backing.js';
import type { Backing } from '../../src/runtime/backing.js';
import type { LocalRuntimeOptions } from '../../src/runtime/local-runtime.js';
import { aConfig, aContainer, aPod, LocalRig } from './local-rig.js';

const POD = aPod();

class VirtualRig extends LocalRig {
  declare readonly clock: VirtualClock;

  constructor(overrides: Partial<LocalRuntimeOptions> = {}) {
    super({ name: 'attached', clock: new VirtualClock(), ...overrides });
  }

  async list(): Promise<readonly RuntimePod[]> {
    return this.runtime.getPods();
  }
}

function allAre(backing: Backing): Partial<LocalRuntimeOptions> {
  return { backingFor: () => backing };
}

test('an attached container runs from its start to its stop', async () => {
  const rig = new VirtualRig();
  const id = await rig.create();
  expect(await rig.status(id)).toMatchObject({ state: 'created' });
  await rig.clock.advance(1000);
  await rig.runtime.startContainer(id);
  const startedAt = rig.clock.now();
  await rig.clock.advance(600_000);
  expect(await rig.status(id)).toMatchObject({ state: 'running', startedAt });
  await rig.runtime.stopContainer(id, 30);
  const ended = { state: 'exited', exitCode: 143, reason: 'Error', finishedAt: rig.clock.now() };
  expect(await rig.status(id)).toMatchObject(ended);
  expect(rig.exits).toEqual([{ id, exitCode: 143, simulated: true }]);
});

test('a container without a target completes when it starts', async () => {
  const rig = new VirtualRig(allAre({ kind: 'completed' }));
  const id = await rig.start();
  const at = rig.clock.now();
  expect(await rig.status(id)).toMatchObject({ state: 'running' });
  expect(rig.exits).toEqual([]);
  await rig.clock.advance(0);
  const ended = {
    state: 'exited',
    exitCode: 0,
    reason: 'Completed',
    startedAt: at,
    finishedAt: at,
  };
  expect(await rig.status(id)).toMatchObject(ended);
  expect(rig.exits).toEqual([{ id, exitCode: 0 }]);
});

test('a container can be started only once', async () => {
  const rig = new VirtualRig();
  const id = await rig.start();
  await expect(rig.runtime.startContainer(id)).rejects.toThrow(RuntimeError);
  expect((await rig.status(id)).state).toBe('running');
});

test('each container has its own ID', async () => {
  const rig = new VirtualRig();
  expect([await rig.create(), await rig.create()]).toEqual(['app-0', 'app-1']);
});

test('a container has the status of its config', async () => {
  const rig = new VirtualRig();
  const id = await rig.create(aConfig(POD, { hash: 'abc', restartCount: 4, sandboxID: 's' }));
  expect(await rig.status(id)).toEqual({
    id,
    name: 'app',
    state: 'created',
    sandboxID: 's',
    image: 'example/app:1',
    imageRef: 'example/app:1',
    hash: 'abc',
    restartCount: 4,
    exitCode: 0,
    reason: '',
    message: '',
  });
});

test.each([undefined, true])('a sandbox has the IP of the host, hostNetwork %s', async (on) => {
  const rig = new VirtualRig({ address: '192.0.2.1' });
  const pod = aPod(aContainer(), on === undefined ? {} : { hostNetwork: on });
  const { id, ips } = await rig.runtime.runPodSandbox(pod, 3);
  expect(ips).toEqual(['192.0.2.1']);
  const [listed] = await rig.list();
  expect(listed).toEqual({
    uid: 'uid-web',
    containers: [],
    sandboxes: [{ id, state: 'ready' }],
  });
  expect(await rig.runtime.getPodStatus(listed!)).toEqual({
    uid: 'uid-web',
    ips,
    sandboxStatuses: [{ id, state: 'ready', attempt: 3, hostNetwork: on ?? false, ips }],
    containerStatuses: [],
  });
});

test('stopping a sandbox stops its containers and drops its IP', async () => {
  const rig = new VirtualRig();
  const { id: sandboxID } = await rig.runtime.runPodSandbox(POD, 0);
  const id = await rig.start(aConfig(POD, { sandboxID }));
  await rig.runtime.stopPodSandbox(sandboxID);
  expect((await rig.status(id)).state).toBe('exited');
  const [listed] = await rig.list();
  expect(listed?.sandboxes).toEqual([{ id: sandboxID, state: 'notReady' }]);
  expect((await rig.runtime.getPodStatus(listed!)).ips).toEqual([]);
  await rig.runtime.removePodSandbox(sandboxID);
  expect(await rig.list()).toEqual([]);
  await rig.runtime.removePodSandbox(sandboxID);
  await rig.runtime.stopPodSandbox(sandboxID);
});

test('containers are listed newest first', async () => {
  const rig = new VirtualRig();
  const first = await rig.start();
  const second = await rig.create();
  const [listed] = await rig.list();
  expect(listed?.containers.map(({ id, state }) => [id, state])).toEqual([
    [second, 'created'],
    [first, 'running'],
  ]);
});

test('the list of pods changes only for pods that changed', async () => {
  const rig = new VirtualRig();
  const other = aPod();
  const otherPod = { ...other, metadata: { ...other.metadata, uid: 'uid-other' } };
  await rig.start(aConfig(otherPod));
  const id = await rig.create();
  const changes: readonly (() => Promise<unknown>)[] = [
    () => rig.runtime.startContainer(id),
    () => rig.runtime.stopContainer(id, 1),
    () => rig.runtime.runPodSandbox(POD, 0),
    () => rig.runtime.stopPodSandbox('sandbox-2'),
    () => rig.runtime.removePodSandbox('sandbox-2'),
    () => rig.create(),
    () => rig.runtime.removeContainer(id),
  ];
  for (const change of changes) {
    const before = await rig.list();
    expect(await rig.list()).toEqual(before);
    await change();
    const after = await rig.list();
    const others = before.filter(({ uid }) => uid === 'uid-other');
    expect(after.filter(({ uid }) => uid === 'uid-other')).toEqual(others);
    expect(after).not.toEqual(before);
  }
});

test('a missing container is a notFound error, except for its removal', async () => {
  const { runtime } = new VirtualRig();
  const error = new RuntimeError('container app-7 not found', 'notFound');
  await expect(runtime.startContainer('app-7')).rejects.toEqual(error);
  await expect(runtime.stopContainer('app-7', 1)).rejects.toEqual(error);
  await expect(runtime.execSync('app-7', ['true'], 1)).rejects.toEqual(error);
  await expect(runtime.removeContainer('app-7')).resolves.toBeUndefined();
});

const NOTHING = new Uint8Array();

/** Commands that never exit by themselves; records its calls. */
class Execs {
  readonly calls: (LocalExecOptions & { readonly command: readonly string[] })[] = [];

  readonly run = (command: readonly string[], options: LocalExecOptions): Promise<ExecResult> => {
    this.calls.push({ command, ...options });
    return new Promise((resolve) => {
      options.signal.addEventListener('abort', () => resolve({ kind: 'timedOut' }));
    });
  };

  close(): Promise<void> {
    return Promise.resolve();
  }
}

test('a command runs with the variables of the container', async () => {
  const execs = new Execs();
  const host = { env: { HOME: '/home', A: 'own' }, cwd: '/here', kill: () => true };
  const rig = new VirtualRig({ exec: execs, host });
  const container = aContainer({ env: [{ name: 'A', value: 'a' }] });
  const id = await rig.start(aConfig(aPod(container)));
  void rig.runtime.execSync(id, ['cat', 'a file'], 5);
  await expect.poll(() => execs.calls).toHaveLength(1);
  const env = { HOME: '/home', A: 'a', KPROBE_MARK_CONTAINER: expect.any(String) as string };
  const command = ['cat', 'a file'];
  expect(execs.calls).toMatchObject([{ command, timeoutSeconds: 5, env, cwd: '/here' }]);
  await rig.runtime.close(0);
});

test('a command ends when its container stops', async () => {
  const execs = new Execs();
  const rig = new VirtualRig({ exec: execs });
  const id = await rig.start();
  const result = rig.runtime.execSync(id, ['sleep'], 0);
  await expect.poll(() => execs.calls).toHaveLength(1);
  expect(execs.calls[0]?.signal.aborted).toBe(false);
  await rig.runtime.stopContainer(id, 1);
  expect(await result).toEqual({ kind: 'exited', exitCode: 137, stdout: NOTHING, stderr: NOTHING });
  expect(execs.calls[0]?.signal.aborted).toBe(true);
  await rig.runtime.close(0);
});

test.each([
  ['before the start of its container', async () => Promise.resolve()],
  [
    'after the exit of its container',
    async (rig: LocalRig, id: string) => {
      await rig.runtime.startContainer(id);
      await rig.runtime.stopContainer(id, 1);
    },
  ],
])('no command runs %s', async (_, prepare) => {
  const execs = new Execs();
  const rig = new VirtualRig({ exec: execs });
  const id = await rig.create();
  await prepare(rig, id);
  const error = { kind: 'error', message: 'container not running' };
  expect(await rig.runtime.execSync(id, ['true'], 1)).toEqual(error);
  expect(execs.calls).toEqual([]);
});

test('a command does not run when its container stops before it starts', async () => {
  const execs = new Execs();
  const rig = new VirtualRig({ exec: execs });
  // The check of the directory takes a moment.
  const id = await rig.start(aConfig(aPod(aContainer({ workingDir: '/' }))));
  const result = rig.runtime.execSync(id, ['true'], 0);
  await rig.runtime.stopContainer(id, 1);
  expect(await result).toMatchObject({ kind: 'exited', exitCode: 137 });
  await rig.runtime.close(0);
  expect(execs.calls).toEqual([]);
});

test('no command runs when exec is not allowed', async () => {
  const rig = new VirtualRig();
  const id = await rig.start();
  expect(await rig.runtime.execSync(id, ['true'], 1)).toMatchObject({ kind: 'error' });
});

test('a command whose environment has an error fails, while the container runs on', async () => {
  const execs = new Execs();
  const rig = new VirtualRig({ exec: execs });
  const container = aContainer({ envFrom: [{ secretRef: { name: 'keys' } }] });
  const id = await rig.start(aConfig(aPod(container)));
  const error = { kind: 'error', message: 'secret "keys" not found' };
  expect(await rig.runtime.execSync(id, ['true'], 1)).toEqual(error);
  expect((await rig.status(id)).state).toBe('running');
  await rig.runtime.close(0);
});

test('close() ends commands, leaves attached containers running, and answers no further calls', async () => {
  const execs = new Execs();
  const rig = new VirtualRig({ exec: execs });
  const id = await rig.start();
  const result = rig.runtime.execSync(id, ['sleep'], 0);
  await expect.poll(() => execs.calls).toHaveLength(1);
  const created = await rig.create();
  const closing = rig.runtime.close();
  expect(rig.runtime.close(0)).toBe(closing);
  await closing;
  expect(await result).toEqual({ kind: 'timedOut' });
  expect((await rig.status(id)).state).toBe('running');
  expect(rig.exits).toEqual([]);
  const answer = vi.fn();
  for (const call of [
    rig.create(),
    rig.runtime.startContainer(created),
    rig.runtime.execSync(id, ['true'], 1),
  ])
    call.then(answer, answer);
  await setImmediate();
  expect(answer).not.toHaveBeenCalled();
});
