import { describe, expect, it } from 'vitest';

import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { RuntimeError } from '../../../src/kubelet/ports.js';
import { RuntimeState, SyncLoop } from '../../../src/kubelet/sync/sync-loop.js';
import type { Event } from '../../../src/trace/event.js';
import { FakeRuntime } from '../../helpers/fake-runtime.js';

/** A sync loop on a clock that starts at 0; `seen` has entries such as `1000 sync`. */
function createRig(up = true) {
  const clock = new VirtualClock(1, 0);
  const seen: string[] = [];
  const runtime = { up };
  let looks: number[] = [];
  const loop = new SyncLoop(
    clock,
    () => {
      looks.push(clock.now());
      return runtime.up;
    },
    {
      onSyncTick: () => seen.push(`${clock.now()} sync`),
      onHousekeeping: () => seen.push(`${clock.now()} housekeeping`),
    },
  );
  const deliver = (text: string): void => loop.deliver(() => seen.push(`${clock.now()} ${text}`));
  const takeLooks = (): number[] => {
    const taken = [...new Set(looks)];
    looks = [];
    return taken;
  };
  return { clock, loop, seen, runtime, deliver, takeLooks };
}

it('SyncLoop syncs each second and does housekeeping every two seconds', async () => {
  const { clock, loop, seen } = createRig();
  loop.start();
  await clock.advance(3_000);
  expect([...seen].sort()).toEqual(['1000 sync', '2000 housekeeping', '2000 sync', '3000 sync']);
});

it('SyncLoop handles delivered work in order, and not inside deliver()', async () => {
  const { clock, loop, seen, deliver } = createRig();
  loop.start();
  deliver('a');
  deliver('b');
  seen.push('delivered');
  loop.deliver(() => {
    seen.push('c');
    deliver('d');
    seen.push('c ends');
  });
  await clock.advance(0);
  expect(seen).toEqual(['delivered', '0 a', '0 b', 'c', 'c ends', '0 d']);
});

it('SyncLoop handles work delivered before its start when it starts', async () => {
  const { clock, loop, seen, deliver } = createRig();
  deliver('a');
  await clock.advance(500);
  expect(seen).toEqual([]);
  loop.start();
  deliver('b');
  await clock.advance(0);
  expect(seen).toEqual(['500 a', '500 b']);
});

describe('while the runtime is down', () => {
  it('the loop waits 100 ms, doubling up to 5 s', async () => {
    const { clock, loop, takeLooks } = createRig(false);
    loop.start();
    await clock.advance(25_000);
    expect(takeLooks()).toEqual([0, 100, 300, 700, 1_500, 3_100, 6_300, 11_300, 16_300, 21_300]);
  });

  it('nothing is handled, and afterward all work and one tick of each kind', async () => {
    const { clock, loop, seen, runtime, deliver } = createRig(false);
    loop.start();
    deliver('a');
    await clock.advance(5_000);
    deliver('b');
    runtime.up = true;
    expect(seen).toEqual([]);
    await clock.advance(1_500);
    expect(seen[0]).toBe('6300 a');
    expect([...seen].sort()).toEqual(['6300 a', '6300 b', '6300 housekeeping', '6300 sync']);
  });

  it('the loop finishes the current event and then waits', async () => {
    const { clock, loop, seen, runtime, deliver } = createRig();
    loop.start();
    runtime.up = false;
    deliver('a');
    deliver('b');
    await clock.advance(50);
    expect(seen).toEqual(['0 a']);
    runtime.up = true;
    await clock.advance(50);
    expect(seen).toEqual(['0 a', '100 b']);
  });

  it('the wait starts at 100 ms again after the runtime was up', async () => {
    const { clock, loop, runtime, deliver, takeLooks } = createRig(false);
    loop.start();
    await clock.advance(1_000);
    runtime.up = true;
    await clock.advance(1_000);
    takeLooks();
    runtime.up = false;
    deliver('a');
    await clock.advance(800);
    expect(takeLooks()).toEqual([2_000, 2_100, 2_300, 2_700]);
  });
});

it('SyncLoop does nothing after stop()', async () => {
  const { clock, loop, seen, deliver } = createRig();
  loop.start();
  deliver('a');
  loop.stop();
  await clock.advance(5_000);
  expect(seen).toEqual([]);
});

function createStateRig() {
  const clock = new VirtualClock(1, 0);
  const runtime = new FakeRuntime(clock);
  const events: Event[] = [];
  const state = new RuntimeState(clock, runtime, (event) => events.push(event));
  return { clock, runtime, events, state };
}

it('RuntimeState is down before the first check', async () => {
  const { clock, state } = createStateRig();
  expect(state.isUp()).toBe(false);
  void state.start();
  await clock.advance(0);
  expect(state.isUp()).toBe(true);
});

it('RuntimeState is down until the first successful check', async () => {
  const { clock, runtime, state } = createStateRig();
  runtime.failures.set('status', new RuntimeError('no'));
  void state.start();
  await clock.advance(4_999);
  expect(state.isUp()).toBe(false);
  runtime.failures.clear();
  await clock.advance(1);
  expect(state.isUp()).toBe(true);
});

it('RuntimeState is down 30 s after the last successful check, and up with the next one', async () => {
  const { clock, runtime, state } = createStateRig();
  void state.start();
  await clock.advance(12_000);
  runtime.failures.set('status', new RuntimeError('no'));
  await clock.advance(27_999);
  expect(state.isUp()).toBe(true);
  await clock.advance(1);
  expect([clock.now(), state.isUp()]).toEqual([40_000, false]);
  await clock.advance(4_000);
  runtime.failures.clear();
  expect(state.isUp()).toBe(false);
  await clock.advance(1_000);
  expect(state.isUp()).toBe(true);
});

describe('RuntimeState emits', () => {
  it('each change once', async () => {
    const { clock, runtime, events, state } = createStateRig();
    void state.start();
    await clock.advance(20_000);
    runtime.failures.set('status', new RuntimeError('no'));
    await clock.advance(20_000);
    runtime.failures.clear();
    await clock.advance(20_000);
    expect(events).toEqual([
      { kind: 'runtime', up: false, error: 'no' },
      { kind: 'runtime', up: true },
    ]);
  });

  it('an event when the first check fails', async () => {
    const { clock, runtime, events, state } = createStateRig();
    runtime.failures.set('status', new RuntimeError('no'));
    void state.start();
    await clock.advance(0);
    expect(events).toEqual([{ kind: 'runtime', up: false, error: 'no' }]);
  });
});

it('RuntimeState checks no more after stop()', async () => {
  const { clock, state } = createStateRig();
  void state.start();
  await clock.advance(1_000);
  state.stop();
  await clock.advance(60_000);
  expect(state.isUp()).toBe(false);
});
