import { describe, expect, it } from 'vitest';

import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import type { Event } from '../../../src/kubelet/event.js';
import { RuntimeError } from '../../../src/kubelet/ports.js';
import { RuntimeState } from '../../../src/kubelet/sync/runtime-state.js';
import { FakeRuntime } from '../../helpers/fake-runtime.js';

const DOWN = 'container runtime is down';

function createRig() {
  const clock = new VirtualClock(1, 0);
  const runtime = new FakeRuntime(clock);
  const events: Event[] = [];
  const state = new RuntimeState({ clock, runtime, emit: (event) => events.push(event) });
  return { clock, runtime, events, state };
}

it('is not good before the first look', async () => {
  const { clock, state } = createRig();
  expect(state.error()).toBe('container runtime status check may not have completed yet');
  void state.start();
  await clock.advance(0);
  expect(state.error()).toBeUndefined();
});

it('is good at once when the runtime is there without being asked', async () => {
  const { clock, runtime, state } = createRig();
  runtime.status = () => undefined;
  void state.start();
  expect(state.error()).toBeUndefined();
  await clock.advance(60_000);
  expect(state.error()).toBeUndefined();
});

it('is not good until the first good look', async () => {
  const { clock, runtime, state } = createRig();
  runtime.failures.set('status', new RuntimeError('no'));
  void state.start();
  await clock.advance(4_999);
  expect(state.error()).toBe('container runtime status check may not have completed yet');
  runtime.failures.clear();
  await clock.advance(1);
  expect(state.error()).toBeUndefined();
});

it('is down 30 s after the last good look, and up with the next', async () => {
  const { clock, runtime, state } = createRig();
  void state.start();
  await clock.advance(12_000);
  runtime.failures.set('status', new RuntimeError('no'));
  await clock.advance(27_999);
  expect(state.error()).toBeUndefined();
  await clock.advance(1);
  expect([clock.now(), state.error()]).toEqual([40_000, DOWN]);
  await clock.advance(4_000);
  runtime.failures.clear();
  expect(state.error()).toBe(DOWN);
  await clock.advance(1_000);
  expect(state.error()).toBeUndefined();
});

describe('what it tells', () => {
  it('is each change, once', async () => {
    const { clock, runtime, events, state } = createRig();
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

  it('is also that it is down from the first', async () => {
    const { clock, runtime, events, state } = createRig();
    runtime.failures.set('status', new RuntimeError('no'));
    void state.start();
    await clock.advance(0);
    expect(events).toEqual([{ kind: 'runtime', up: false, error: 'no' }]);
  });
});

it('stopped, it looks no more', async () => {
  const { clock, state } = createRig();
  void state.start();
  await clock.advance(1_000);
  state.stop();
  await clock.advance(60_000);
  expect(state.error()).toBe(DOWN);
});
