import { describe, expect, it } from 'vitest';

import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { SyncLoop, type SyncLoopEvent } from '../../../src/kubelet/sync/sync-loop.js';
import { buildPod } from '../../helpers/builders.js';

/** A sync loop on a clock that starts at 0; `handled` has entries such as `1000 sync`, and `0 a` for pod a. */
function createRig(up = true) {
  const clock = new VirtualClock(1, 0);
  const handled: string[] = [];
  const runtime = { up };
  let checks: number[] = [];
  const isRuntimeUp = (): boolean => {
    checks.push(clock.now());
    return runtime.up;
  };
  const handle = (event: SyncLoopEvent): void => {
    const name = event.kind === 'config' ? event.pod.metadata.name : event.kind;
    handled.push(`${clock.now()} ${name}`);
    if (name !== 'c') return;
    deliver('d');
    handled.push('c ends');
  };
  const loop = new SyncLoop(clock, isRuntimeUp, handle);
  const deliver = (name: string): void =>
    loop.deliver({ kind: 'config', operation: 'ADD', pod: buildPod({ metadata: { name } }) });
  const takeChecks = (): number[] => {
    const taken = [...new Set(checks)];
    checks = [];
    return taken;
  };
  return { clock, loop, handled, runtime, deliver, takeChecks };
}

it('SyncLoop syncs each second and does housekeeping every two seconds', async () => {
  const { clock, loop, handled } = createRig();
  loop.start();
  await clock.advance(3_000);
  expect([...handled].sort()).toEqual(['1000 sync', '2000 housekeeping', '2000 sync', '3000 sync']);
});

it('SyncLoop handles events in order, and not inside deliver()', async () => {
  const { clock, loop, handled, deliver } = createRig();
  loop.start();
  deliver('a');
  deliver('b');
  handled.push('delivered');
  deliver('c');
  await clock.advance(0);
  expect(handled).toEqual(['delivered', '0 a', '0 b', '0 c', 'c ends', '0 d']);
});

it('SyncLoop handles an event delivered before its start when it starts', async () => {
  const { clock, loop, handled, deliver } = createRig();
  deliver('a');
  await clock.advance(500);
  expect(handled).toEqual([]);
  loop.start();
  deliver('b');
  await clock.advance(0);
  expect(handled).toEqual(['500 a', '500 b']);
});

describe('while the runtime is down', () => {
  it('the loop waits 100 ms, doubling up to 5 s', async () => {
    const { clock, loop, takeChecks } = createRig(false);
    loop.start();
    await clock.advance(25_000);
    expect(takeChecks()).toEqual([0, 100, 300, 700, 1_500, 3_100, 6_300, 11_300, 16_300, 21_300]);
  });

  it('nothing is handled, and afterward all events and one tick of each kind', async () => {
    const { clock, loop, handled, runtime, deliver } = createRig(false);
    loop.start();
    deliver('a');
    await clock.advance(5_000);
    deliver('b');
    runtime.up = true;
    expect(handled).toEqual([]);
    await clock.advance(1_500);
    expect(handled[0]).toBe('6300 a');
    expect([...handled].sort()).toEqual(['6300 a', '6300 b', '6300 housekeeping', '6300 sync']);
  });

  it('the loop finishes the current event and then waits', async () => {
    const { clock, loop, handled, runtime, deliver } = createRig();
    loop.start();
    runtime.up = false;
    deliver('a');
    deliver('b');
    await clock.advance(50);
    expect(handled).toEqual(['0 a']);
    runtime.up = true;
    await clock.advance(50);
    expect(handled).toEqual(['0 a', '100 b']);
  });

  it('the wait starts at 100 ms again after the runtime was up', async () => {
    const { clock, loop, runtime, deliver, takeChecks } = createRig(false);
    loop.start();
    await clock.advance(1_000);
    runtime.up = true;
    await clock.advance(1_000);
    takeChecks();
    runtime.up = false;
    deliver('a');
    await clock.advance(800);
    expect(takeChecks()).toEqual([2_000, 2_100, 2_300, 2_700]);
  });
});

it('SyncLoop does nothing after stop()', async () => {
  const { clock, loop, handled, deliver } = createRig();
  loop.start();
  deliver('a');
  loop.stop();
  await clock.advance(5_000);
  expect(handled).toEqual([]);
});
