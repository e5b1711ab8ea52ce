import { expect, it } from 'vitest';

import { Session } from '../../src/app/session.js';
import { VirtualClock } from '../../src/clock/virtual-clock.js';
import { buildPod } from '../helpers/builders.js';
import { FakeRuntime } from '../helpers/fake-runtime.js';
import { fakeTransports } from '../helpers/fake-transports.js';

class ClosableRuntime extends FakeRuntime {
  close(): Promise<void> {
    return Promise.resolve();
  }
}

function startSession(pods: number) {
  const clock = new VirtualClock();
  const session = new Session({
    clock,
    createRuntime: () => new ClosableRuntime(clock),
    transports: fakeTransports().transports,
    hostIP: '127.0.0.1',
    kubeletAge: 3_600_000,
    kubeletVersion: '1.36',
  });
  const starts: number[] = [];
  session.onLine(({ kind, t }) => {
    if (kind === 'runPodSandbox') starts.push(t);
  });
  session.start(
    Array.from({ length: pods }, (_, index) =>
      buildPod({ metadata: { name: `p${index}`, uid: `uid-${index}` } }),
    ),
  );
  return { clock, session, starts };
}

it('the pods of a run start 10 ms apart, and all are known at once', async () => {
  const { clock, session, starts } = startSession(4);
  expect(session.summary.pods).toHaveLength(4);
  await clock.advance(1000);
  expect(starts).toEqual([0, 0.01, 0.02, 0.03]);
});

it('many pods start within a second', async () => {
  const { clock, starts } = startSession(400);
  await clock.advance(1000);
  expect(starts).toHaveLength(400);
  expect(starts.filter((t) => t < 0.5).length).toBe(200);
});

it('a session that has ended adds no more pods', async () => {
  const { clock, session, starts } = startSession(4);
  await clock.advance(5);
  await session.end();
  await clock.advance(1000);
  expect(starts).toEqual([0]);
});
