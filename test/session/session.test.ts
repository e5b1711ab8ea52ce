import { expect, it } from 'vitest';

import type { Container } from '../../src/api/index.js';
import { VirtualClock } from '../../src/clock/virtual-clock.js';
import type { KubeletConfig } from '../../src/kubelet/release.js';
import { Session } from '../../src/session/session.js';
import type { TraceLine } from '../../src/trace/trace-line.js';
import { buildContainer, buildPod, buildProbe } from '../helpers/builders.js';
import { FakeRuntime } from '../helpers/fake-runtime.js';
import { fakeTransports } from '../helpers/fake-transports.js';

class ClosableRuntime extends FakeRuntime {
  onClose = (): void => undefined;

  close(): Promise<void> {
    this.onClose();
    return Promise.resolve();
  }
}

function openSession(kubelet: KubeletConfig = { version: '1.36' }) {
  const clock = new VirtualClock();
  const session = new Session({
    clock,
    createRuntime: () => new ClosableRuntime(clock),
    transports: fakeTransports().transports,
    hostIP: '127.0.0.1',
    kubeletAge: 3_600_000,
    kubelet,
  });
  return { clock, session };
}

function startSession(pods: number) {
  const { clock, session } = openSession();
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

it('an attempt that fails because the session ends leaves no event', async () => {
  const clock = new VirtualClock();
  const runtime = new ClosableRuntime(clock);
  const { transports } = fakeTransports();
  const session = new Session({
    clock,
    createRuntime: () => runtime,
    transports: {
      ...transports,
      tcp: () =>
        new Promise((resolve) => {
          runtime.onClose = () => resolve({ result: 'failure', output: 'killed' });
        }),
    },
    hostIP: '127.0.0.1',
    kubeletAge: 3_600_000,
    kubelet: { version: '1.36' },
  });
  const lines: TraceLine[] = [];
  session.onLine((line) => lines.push(line));
  const { exec: _, ...probe } = buildProbe({ tcpSocket: { port: 1, host: '' } });
  const containers = [buildContainer({ readinessProbe: probe })];
  session.start([buildPod({ spec: { containers } })]);
  await clock.advance(5000);
  expect(lines.filter(({ kind }) => kind === 'attempt')).toHaveLength(1);
  await session.end();
  await clock.advance(1);
  expect(lines.some((line) => line.kind === 'event' && line.reason === 'Unhealthy')).toBe(false);
});

it.each([
  [{ periodSeconds: 1 }, ['probes of app keep their old settings']],
  [{}, []],
])(
  'a pod that runs, and whose probes are changed by %j, has the notes %j',
  async (changed, expected) => {
    const { clock, session } = startSession(0);
    const notes: string[] = [];
    session.onLine((line) => {
      if (line.kind === 'note') notes.push(line.text.split(':', 1)[0] ?? '');
    });
    const podOf = (image: string, settings: object) => {
      const readinessProbe = buildProbe({ periodSeconds: 5, ...settings });
      return buildPod({ spec: { containers: [buildContainer({ image, readinessProbe })] } });
    };
    session.update([podOf('a:1', {})]);
    await clock.advance(2000);
    session.update([podOf('a:2', changed)]);
    expect(notes).toEqual(expected);
    expect(session.summary.pods[0]?.containers[0]?.spec).toMatchObject({
      image: 'a:2',
      readinessProbe: { periodSeconds: 5 },
    });
    session.update([podOf('a:2', {})]);
    expect(notes).toEqual(expected);
  },
);

it('a changed probe takes effect with MutableContainerProbes, and nothing restarts', async () => {
  const kubelet = { version: '1.37', featureGates: { MutableContainerProbes: true } };
  const { clock, session } = openSession(kubelet);
  session.start([]);
  const lines: TraceLine[] = [];
  session.onLine((line) => lines.push(line));
  const podOf = (probes: Partial<Container>) =>
    buildPod({ spec: { containers: [buildContainer(probes)] } });
  const ready = () => session.summary.pods[0]?.conditions['Ready']?.status;
  session.update([podOf({ readinessProbe: buildProbe({ initialDelaySeconds: 600 }) })]);
  await clock.advance(15_000);
  expect(ready()).toBe('False');
  session.update([podOf({})]);
  await clock.advance(5000);
  expect(ready()).toBe('True');
  const events = lines.flatMap((line) => (line.kind === 'event' ? line.reason : []));
  expect(events.filter((reason) => reason === 'ContainerProbeChanged')).toHaveLength(1);
  expect(lines.filter(({ kind }) => kind === 'note')).toEqual([]);
  expect(lines.filter(({ kind }) => kind === 'started')).toHaveLength(1);
});

it('a readiness gate opens with the condition that somebody else has set', async () => {
  const { clock, session } = openSession();
  const pod = buildPod();
  const readinessGates = [{ conditionType: 'example.com/lb' }];
  session.start([{ ...pod, spec: { ...pod.spec, readinessGates } }]);
  const ready = () => session.summary.pods[0]?.conditions['Ready'];
  await clock.advance(3000);
  expect(ready()?.reason).toContain('ReadinessGatesNotReady');
  session.setConditions([{ type: 'example.com/lb', status: 'True' }]);
  await clock.advance(1000);
  expect(ready()?.status).toBe('True');
  await session.end();
});
