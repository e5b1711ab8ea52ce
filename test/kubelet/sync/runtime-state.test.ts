import { describe, expect, it } from 'vitest';

import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { RuntimeError } from '../../../src/kubelet/ports.js';
import { RuntimeState } from '../../../src/kubelet/sync/runtime-state.js';
import type { Event } from '../../../src/trace/event.js';
import { FakeRuntime } from '../../helpers/fake-runtime.js';

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
