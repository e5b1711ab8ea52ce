import { describe, expect, it } from 'vitest';

import { VirtualClock } from '../../src/clock/virtual-clock.js';
import { Session } from '../../src/session/session.js';
import { waitForGoal } from '../../src/session/wait-for-goal.js';
import { buildContainer, buildPod } from '../helpers/builders.js';
import { FakeRuntime } from '../helpers/fake-runtime.js';
import { fakeTransports } from '../helpers/fake-transports.js';

/** A runtime that stops answering `hangsAfter` milliseconds after the start. */
class HangingRuntime extends FakeRuntime {
  constructor(
    private readonly time: VirtualClock,
    private readonly hangsAfter: number,
  ) {
    super(time);
  }

  override getPods(
    ...args: Parameters<FakeRuntime['getPods']>
  ): ReturnType<FakeRuntime['getPods']> {
    const begin = this.time.now();
    return begin >= this.hangsAfter ? new Promise(() => undefined) : super.getPods(...args);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

async function runFor(time: number, hangsAfter: number) {
  const clock = new VirtualClock();
  const session = new Session({
    clock,
    createRuntime: () => new HangingRuntime(clock, clock.now() + hangsAfter),
    transports: fakeTransports().transports,
    hostIP: '127.0.0.1',
    kubeletAge: 3_600_000,
    kubelet: { version: '1.36' },
  });
  session.start([buildPod({ spec: { containers: [buildContainer({})] } })]);
  const goal = { kind: 'for', time } as const;
  const ended = waitForGoal({ clock, session, goal, signal: new AbortController().signal });
  const end = ended.then((result) => ({ ...result, endedAt: clock.now() }));
  const begin = clock.now();
  await clock.advance(60_000);
  const { verdict, endedAt } = await end;
  return { verdict, seconds: (endedAt - begin) / 1000 };
}

describe('a run of 12 s', () => {
  it('holds when its pod is ready', async () => {
    const { verdict, seconds } = await runFor(12_000, Infinity);
    expect(verdict.kind).toBe('holds');
    expect(seconds).toBeCloseTo(12, 1);
  });

  it.each([
    ['after its pod was ready', 8000],
    ['before it has started anything', 0],
  ])('has no verdict when its runtime stops answering %s, and waits 2 s', async (_, hangsAfter) => {
    const { verdict, seconds } = await runFor(12_000, hangsAfter);
    expect(verdict.kind).toBe('unknown');
    expect(verdict.sentence).toContain('does not answer');
    expect(seconds).toBeCloseTo(14, 1);
  });
});
