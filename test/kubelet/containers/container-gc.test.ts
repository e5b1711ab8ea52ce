import { describe, expect, it } from 'vitest';

import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { ContainerGC } from '../../../src/kubelet/containers/container-gc.js';
import { type RuntimeContainerState, RuntimeError } from '../../../src/kubelet/ports.js';
import {
  buildExited,
  buildPod,
  buildRuntimeContainer,
  buildRuntimePodStatus,
} from '../../helpers/builders.js';
import { FakeRuntime } from '../../helpers/fake-runtime.js';

/** A garbage collector over containers given as `a1 exited, a2 running`, oldest first; the first letter of an ID is the container's name. */
function createRig(text: string, gone = false) {
  const clock = new VirtualClock(1, 0);
  const runtime = new FakeRuntime(clock);
  for (const part of text === '' ? [] : text.split(', ')) {
    const [id = '', state = ''] = part.split(' ');
    runtime.add(
      { id, name: id[0]!, state: state as RuntimeContainerState, sandboxID: 's' },
      buildPod(),
    );
  }
  const gc = new ContainerGC(clock, runtime, () => gone);
  return { clock, runtime, gc };
}

describe('the garbage collection that runs each minute', () => {
  it.each<[string, string, boolean, string]>([
    ['keeps the latest exited container of a name', 'a1 exited, a2 exited, a3 exited', false, 'a3'],
    ['keeps running containers', 'a1 exited, a2 exited, a3 running', false, 'a3 a2'],
    ['treats each container name separately', 'a1 exited, b1 exited, a2 exited', false, 'a2 b1'],
    [
      'keeps a created container besides the latest exited one',
      'a1 exited, a2 exited, a3 created',
      false,
      'a3 a2',
    ],
    [
      'removes older containers that were only created',
      'a1 created, a2 created, a3 exited',
      false,
      'a3',
    ],
    ['treats containers of unknown state as exited', 'a1 exited, a2 unknown', false, 'a2'],
    ['removes all containers of a deleted pod', 'a1 exited, a2 created, b1 unknown', true, ''],
    ['keeps the running containers of a deleted pod', 'a1 exited, a2 running', true, 'a2'],
  ])('%s', async (_, text, gone, left) => {
    const { clock, runtime, gc } = createRig(text, gone);
    gc.start();
    await clock.advance(59_999);
    expect(runtime.calls).toEqual([]);
    await clock.advance(1);
    expect(runtime.ids().join(' ')).toBe(left);
  });

  it('removes the oldest first, and stops a container of unknown state before removing it', async () => {
    const { clock, runtime, gc } = createRig('a1 exited, a2 unknown, a3 exited');
    gc.start();
    await clock.advance(60_000);
    expect(runtime.calls).toEqual(['60000 remove a1', '60000 stop a2 2', '60000 remove a2']);
  });

  it('retries a failed removal the next time', async () => {
    const { clock, runtime, gc } = createRig('a1 exited, a2 exited, a3 exited');
    runtime.failures.set('remove a1', new RuntimeError('busy'));
    gc.start();
    await clock.advance(60_000);
    expect(runtime.ids()).toEqual(['a3', 'a1']);
    runtime.failures.clear();
    await clock.advance(60_000);
    expect(runtime.ids()).toEqual(['a3']);
  });

  it('tries again the next time when the runtime fails to list pods', async () => {
    const { clock, runtime, gc } = createRig('a1 exited, a2 exited');
    runtime.failures.set('getPods', new RuntimeError('gone'));
    gc.start();
    await clock.advance(60_000);
    runtime.failures.clear();
    await clock.advance(60_000);
    expect(runtime.ids()).toEqual(['a2']);
  });

  it('removes nothing after stop()', async () => {
    const { clock, runtime, gc } = createRig('a1 exited, a2 exited');
    gc.start();
    gc.stop();
    await clock.advance(120_000);
    expect(runtime.calls).toEqual([]);
  });
});

describe('the garbage collection of sandboxes', () => {
  async function withSandboxes(gone: boolean) {
    const rig = createRig('', gone);
    for (let attempt = 0; attempt < 3; attempt++)
      await rig.runtime.runPodSandbox(buildPod(), attempt);
    rig.gc.start();
    return rig;
  }
  const removed = (runtime: FakeRuntime): string[] =>
    runtime.calls
      .filter((call) => !call.includes('runSandbox'))
      .map((call) => call.split(' ').slice(1).join(' '));

  it('removes stopped sandboxes except the latest', async () => {
    const { clock, runtime } = await withSandboxes(false);
    for (const id of ['sandbox-1', 'sandbox-3']) await runtime.stopPodSandbox(id);
    await clock.advance(60_000);
    expect(removed(runtime).slice(2)).toEqual(['stopSandbox sandbox-1', 'removeSandbox sandbox-1']);
  });

  it('removes the latest sandbox too when the pod is deleted', async () => {
    const { clock, runtime } = await withSandboxes(true);
    for (const id of ['sandbox-1', 'sandbox-3']) await runtime.stopPodSandbox(id);
    await clock.advance(60_000);
    expect(removed(runtime).slice(2)).toEqual([
      'stopSandbox sandbox-1',
      'removeSandbox sandbox-1',
      'stopSandbox sandbox-3',
      'removeSandbox sandbox-3',
    ]);
  });

  it('keeps a sandbox until its containers are removed', async () => {
    const { clock, runtime } = await withSandboxes(true);
    await runtime.stopPodSandbox('sandbox-1');
    runtime.add({ id: 'a1', state: 'exited', sandboxID: 'sandbox-1' }, buildPod());
    runtime.failures.set('remove a1', new RuntimeError('busy'));
    await clock.advance(60_000);
    expect(removed(runtime).slice(1)).toEqual(['remove a1']);
    runtime.failures.clear();
    await clock.advance(60_000);
    expect(removed(runtime).slice(2)).toEqual([
      'remove a1',
      'stopSandbox sandbox-1',
      'removeSandbox sandbox-1',
    ]);
  });
});

describe('deleteContainersInPod', () => {
  const podStatus = buildRuntimePodStatus({
    containerStatuses: [
      buildRuntimeContainer({ name: 'b', id: 'b3' }),
      buildExited(1, { name: 'a', id: 'a3' }),
      buildExited(1, { name: 'b', id: 'b2' }),
      buildExited(1, { name: 'a', id: 'a2' }),
      buildExited(1, { name: 'a', id: 'a1' }),
      buildExited(1, { name: 'b', id: 'b1' }),
    ],
  });

  it.each<[string, string, boolean, string[]]>([
    ['removes the exited containers of the same name except the latest', 'a3', false, ['a2', 'a1']],
    ['leaves containers of other names alone', 'b2', false, ['b1']],
    ['removes nothing when the ID is unknown', 'c1', false, []],
    ['removes all exited containers of a deleted pod', 'a3', true, ['a3', 'b2', 'a2', 'a1', 'b1']],
    [
      'removes all exited containers of a deleted pod, also when the ID is unknown',
      'c1',
      true,
      ['a3', 'b2', 'a2', 'a1', 'b1'],
    ],
  ])('%s', async (_, id, gone, removed) => {
    const { clock, runtime, gc } = createRig('', gone);
    gc.deleteContainersInPod(id, podStatus);
    await clock.advance(0);
    expect(runtime.calls).toEqual(removed.map((each) => `0 remove ${each}`));
  });

  it('removes in the background, before tasks that were queued earlier', async () => {
    const { clock, runtime, gc } = createRig('');
    clock.go(() => runtime.calls.push('set going earlier'));
    gc.deleteContainersInPod('a3', podStatus);
    expect(runtime.calls).toEqual([]);
    await clock.advance(0);
    expect(runtime.calls).toEqual(['0 remove a2', '0 remove a1', 'set going earlier']);
  });
});
