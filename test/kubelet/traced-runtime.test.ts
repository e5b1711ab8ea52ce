import { describe, expect, it } from 'vitest';

import { VirtualClock } from '../../src/clock/virtual-clock.js';
import { type ContainerConfig, type ExecResult, RuntimeError } from '../../src/kubelet/ports.js';
import { type EngineListener, TracedRuntime } from '../../src/kubelet/traced-runtime.js';
import type { Event } from '../../src/trace/event.js';
import { buildContainer, buildPod, buildRuntimePod } from '../helpers/builders.js';
import { FakeImages, FakeRuntime } from '../helpers/fake-runtime.js';

function createRig(prepare: (runtime: FakeRuntime) => void = () => undefined) {
  const clock = new VirtualClock(1, 0);
  const inner = new FakeRuntime(clock);
  prepare(inner);
  const events: Event[] = [];
  let listener: EngineListener | undefined;
  const runtime = new TracedRuntime(
    (event) => events.push(event),
    (given) => {
      listener = given;
      return inner;
    },
  );
  const create = (name = 'app'): Promise<string> =>
    runtime.createContainer({ ...config, container: buildContainer({ name }) });
  /** Returns the events since the last call. */
  const take = (): Event[] => events.splice(0);
  return { clock, inner, runtime, listener: listener!, create, take };
}

const config: ContainerConfig = {
  pod: buildPod(),
  container: buildContainer(),
  sandboxID: 'sandbox-1',
  restartCount: 0,
  hash: '',
  imageRef: '',
  podIPs: [],
};
const about = { pod: 'default/web', container: 'app', run: 0 };
const EMPTY = new Uint8Array();

describe('a sandbox', () => {
  it('emits an event when it is created and whenever it is stopped', async () => {
    const { runtime, take } = createRig();
    await runtime.runPodSandbox(buildPod(), 3);
    await runtime.stopPodSandbox('sandbox-1');
    await runtime.stopPodSandbox('sandbox-1');
    const stopped = { kind: 'stopPodSandbox', pod: 'default/web' };
    expect(take()).toEqual([
      { kind: 'runPodSandbox', pod: 'default/web', attempt: 3 },
      stopped,
      stopped,
    ]);
  });

  it('emits no event when it cannot be created', async () => {
    const { inner, runtime, take } = createRig();
    inner.failures.set('runSandbox', new RuntimeError('no'));
    await expect(runtime.runPodSandbox(buildPod(), 0)).rejects.toThrow('no');
    expect(take()).toEqual([]);
  });

  it.each(['gone', 'sandbox-1'])(
    'that does not exist, %s, is stopped without an event',
    async (id) => {
      const { inner, runtime, take } = createRig();
      await runtime.runPodSandbox(buildPod(), 0);
      await runtime.removePodSandbox('sandbox-1');
      take();
      await runtime.stopPodSandbox(id);
      expect([take(), inner.calls.at(-1)]).toEqual([[], `0 stopSandbox ${id}`]);
    },
  );
});

describe('a container', () => {
  it('emits an event when it starts, with its run counted by name', async () => {
    const { runtime, create, take } = createRig();
    for (const name of ['app', 'app', 'other']) await create(name);
    expect(take()).toEqual([]);
    for (const id of ['app-1', 'app-2', 'other-1']) await runtime.startContainer(id);
    expect(take()).toEqual([
      { kind: 'started', ...about },
      { kind: 'started', ...about, run: 1 },
      { kind: 'started', ...about, container: 'other' },
    ]);
  });

  it('emits startFailed with the error when it does not start', async () => {
    const { inner, runtime, create, take } = createRig();
    await create();
    inner.failures.set('start', new RuntimeError('no such file'));
    await expect(runtime.startContainer('app-1')).rejects.toThrow('no such file');
    expect(take()).toEqual([{ kind: 'startFailed', ...about, error: 'no such file' }]);
  });

  it('emits no event when its start fails because of a bug', async () => {
    const { inner, runtime, create, take } = createRig();
    await create();
    inner.failures.set('start', new TypeError('bug'));
    await expect(runtime.startContainer('app-1')).rejects.toThrow(TypeError);
    expect(take()).toEqual([]);
  });

  it('emits an event when it is stopped and when it exits', async () => {
    const { runtime, listener, create, take } = createRig();
    await create();
    await runtime.startContainer('app-1');
    take();
    await runtime.stopContainer('app-1', 30);
    listener.onExit('app-1', { exitCode: 143 });
    await runtime.stopContainer('app-1', 30);
    expect(take()).toEqual([
      { kind: 'stop', ...about, gracePeriod: 30 },
      { kind: 'exited', ...about, exitCode: 143 },
    ]);
  });

  it('emits no event when it is stopped before it has started', async () => {
    const { inner, runtime, create, take } = createRig();
    await create();
    await runtime.stopContainer('app-1', 30);
    expect([take(), inner.calls.at(-1)]).toEqual([[], '0 stop app-1 30']);
  });

  it('emits the reason of its exit', async () => {
    const { listener, create, take } = createRig();
    await create();
    listener.onExit('app-1', { exitCode: 137, reason: 'OOMKilled' });
    expect(take()).toEqual([{ kind: 'exited', ...about, exitCode: 137, reason: 'OOMKilled' }]);
  });

  it('emits its output', async () => {
    const { listener, create, take } = createRig();
    await create();
    listener.onOutput('app-1', 'stderr', 'oh');
    expect(take()).toEqual([{ kind: 'output', ...about, stream: 'stderr', text: 'oh' }]);
  });

  it('emits nothing after it was removed', async () => {
    const { runtime, listener, create, take } = createRig();
    await create();
    await runtime.removeContainer('app-1');
    listener.onOutput('app-1', 'stdout', 'oh');
    listener.onExit('app-1', { exitCode: 0 });
    expect(take()).toEqual([]);
  });

  it('that existed before counts as a run, and emits started if it runs', async () => {
    const { runtime, listener, create, take } = createRig();
    const found = { pod: buildPod(), container: 'app' };
    listener.onFound('old', { ...found, running: false });
    listener.onFound('older', { ...found, running: true, startedAt: 7 });
    await create();
    await runtime.startContainer('app-1');
    expect(take()).toEqual([
      { kind: 'started', ...about, run: 1, at: 7 },
      { kind: 'started', ...about, run: 2 },
    ]);
  });
});

describe('execSync', () => {
  it.each<[string, ExecResult, object]>([
    [
      'emits the exit code',
      { kind: 'exited', exitCode: 3, stdout: EMPTY, stderr: EMPTY },
      { exit: 3 },
    ],
    ['emits a timeout', { kind: 'timedOut' }, { timedOut: true }],
    [
      'emits the error when the command cannot be run',
      { kind: 'error', message: 'no' },
      { error: 'no' },
    ],
  ])('%s', async (_, result, recorded) => {
    const { inner, runtime, create, take } = createRig();
    await create();
    inner.commands.set('cat x', result);
    expect(await runtime.execSync('app-1', ['cat', 'x'], 7)).toBe(result);
    expect(inner.calls.at(-1)).toBe('0 exec app-1 cat x 7');
    expect(take()).toEqual([
      { kind: 'exec', ...about, command: 'cat x' },
      { kind: 'execDone', ...about, command: 'cat x', ...recorded },
    ]);
  });

  it('emits the result in a container that was removed', async () => {
    const { inner, runtime, create, take } = createRig();
    await create();
    await runtime.removeContainer('app-1');
    inner.commands.set('cat x', { kind: 'error', message: 'gone' });
    await runtime.execSync('app-1', ['cat', 'x'], 7);
    expect(take()).toMatchObject([{ kind: 'exec' }, { kind: 'execDone', error: 'gone' }]);
  });

  it('emits nothing for an unknown container', async () => {
    const { runtime, take } = createRig();
    expect(await runtime.execSync('gone', ['true'], 1)).toMatchObject({ kind: 'exited' });
    expect(take()).toEqual([]);
  });
});

describe('everything else', () => {
  it('is passed to the wrapped runtime', async () => {
    const { inner, runtime, create } = createRig();
    await create();
    expect(runtime.name).toBe('test');
    expect(await runtime.getPods()).toMatchObject([{ containers: [{ id: 'app-1' }] }]);
    expect(await runtime.getPodStatus(buildRuntimePod())).toMatchObject({
      containerStatuses: [{ id: 'app-1' }],
    });
    inner.failures.set('status', new RuntimeError('down'));
    await expect(runtime.status()).rejects.toThrow('down');
  });

  it.each([true, false])('has images only if the wrapped runtime has them: %s', (hasImages) => {
    const { inner, runtime } = createRig((given) => {
      if (hasImages) given.images = new FakeImages(new VirtualClock());
    });
    expect([runtime.images, runtime.images !== undefined]).toEqual([inner.images, hasImages]);
  });

  it('emits a note of the runtime', () => {
    const { listener, take } = createRig();
    listener.onNote('warning', 'the machine is slow');
    expect(take()).toEqual([{ kind: 'note', level: 'warning', text: 'the machine is slow' }]);
  });
});
