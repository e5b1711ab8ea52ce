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

/** A collector over containers from `a1 exited, a2 running`, oldest first; the letter is the name. */
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
  const gc = new ContainerGC({ clock, runtime, shouldPodContentBeRemoved: () => gone });
  return { clock, runtime, gc };
}

describe('each minute', () => {
  it.each<[string, string, boolean, string]>([
    [
      'of the ended containers of a name the latest stays',
      'a1 exited, a2 exited, a3 exited',
      false,
      'a3',
    ],
    ['those that run stay', 'a1 exited, a2 exited, a3 running', false, 'a3 a2'],
    ['names are kept apart', 'a1 exited, b1 exited, a2 exited', false, 'a2 b1'],
    [
      'one that is only made stays beside the latest that ended',
      'a1 exited, a2 exited, a3 created',
      false,
      'a3 a2',
    ],
    ['older ones that were only made go', 'a1 created, a2 created, a3 exited', false, 'a3'],
    ['those that cannot be told count as ended', 'a1 exited, a2 unknown', false, 'a2'],
    ['of a pod that is gone all go', 'a1 exited, a2 created, b1 unknown', true, ''],
    ['of a pod that is gone what runs stays', 'a1 exited, a2 running', true, 'a2'],
  ])('%s', async (_, text, gone, left) => {
    const { clock, runtime, gc } = createRig(text, gone);
    gc.start();
    await clock.advance(59_999);
    expect(runtime.calls).toEqual([]);
    await clock.advance(1);
    expect(runtime.ids().join(' ')).toBe(left);
  });

  it('removes the oldest first, and stops containers of unknown state before', async () => {
    const { clock, runtime, gc } = createRig('a1 exited, a2 unknown, a3 exited');
    gc.start();
    await clock.advance(60_000);
    expect(runtime.calls).toEqual(['60000 remove a1', '60000 stop a2 2', '60000 remove a2']);
  });

  it('a container that could not be removed is removed the next time', async () => {
    const { clock, runtime, gc } = createRig('a1 exited, a2 exited, a3 exited');
    runtime.failures.set('remove a1', new RuntimeError('busy'));
    gc.start();
    await clock.advance(60_000);
    expect(runtime.ids()).toEqual(['a3', 'a1']);
    runtime.failures.clear();
    await clock.advance(60_000);
    expect(runtime.ids()).toEqual(['a3']);
  });

  it('a runtime that does not answer is asked again', async () => {
    const { clock, runtime, gc } = createRig('a1 exited, a2 exited');
    runtime.failures.set('getPods', new RuntimeError('gone'));
    gc.start();
    await clock.advance(60_000);
    runtime.failures.clear();
    await clock.advance(60_000);
    expect(runtime.ids()).toEqual(['a2']);
  });

  it('stopped, nothing is removed', async () => {
    const { clock, runtime, gc } = createRig('a1 exited, a2 exited');
    gc.start();
    gc.stop();
    await clock.advance(120_000);
    expect(runtime.calls).toEqual([]);
  });
});

describe('sandboxes', () => {
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

  it('that are done with go, all but the latest', async () => {
    const { clock, runtime } = await withSandboxes(false);
    for (const id of ['sandbox-1', 'sandbox-3']) await runtime.stopPodSandbox(id);
    await clock.advance(60_000);
    expect(removed(runtime).slice(2)).toEqual(['stopSandbox sandbox-1', 'removeSandbox sandbox-1']);
  });

  it('of a pod that is gone go with the latest', async () => {
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

  it('with containers stay until those are gone', async () => {
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

describe("after a container's end", () => {
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
    ['the ended ones of its name go, but the latest', 'a3', false, ['a2', 'a1']],
    ['another name is left alone', 'b2', false, ['b1']],
    ['nothing goes when it is not known', 'c1', false, []],
    ['all ended ones go in a pod that is gone', 'a3', true, ['a3', 'b2', 'a2', 'a1', 'b1']],
    [
      'all ended ones go in a pod that is gone, whoever ended',
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

  it('they go by themselves, before what was set going earlier', async () => {
    const { clock, runtime, gc } = createRig('');
    clock.go(() => runtime.calls.push('set going earlier'));
    gc.deleteContainersInPod('a3', podStatus);
    expect(runtime.calls).toEqual([]);
    await clock.advance(0);
    expect(runtime.calls).toEqual(['0 remove a2', '0 remove a1', 'set going earlier']);
  });
});
