import { expect, it, vi } from 'vitest';

import { VirtualClock } from '../../src/clock/virtual-clock.js';
import { urlString } from '../../src/go/url.js';
import type { FailureReason, ProbeOutcome, ProcessFacts } from '../../src/kubelet/ports.js';
import type { KubeletConfig } from '../../src/kubelet/release.js';
import type { TrialScope } from '../../src/session/evidence.js';
import { Session } from '../../src/session/session.js';
import type { TraceLine } from '../../src/trace/trace-line.js';
import { buildContainer, buildPod, buildProbe } from '../helpers/builders.js';
import { FakeRuntime } from '../helpers/fake-runtime.js';
import { fakeTransports } from '../helpers/fake-transports.js';

type Trial = Extract<TraceLine, { kind: 'trial' }>;

/** A runtime whose containers listen on ports of 0.0.0.0. */
class ListeningRuntime extends FakeRuntime {
  ports: readonly number[] = [];
  started = true;
  isSlow = false;
  /** How attempts at other ports than 8080 fail. */
  reasonElsewhere: FailureReason | undefined;
  /** What attempts at other ports than 8080 wait for. */
  answers: Promise<void> | undefined;
  cpu: ProcessFacts['cpu'];
  peers: ProcessFacts['peers'];
  state: ProcessFacts['state'];

  inspect(): ProcessFacts | Promise<ProcessFacts> {
    const sockets = this.ports.map((port) => ({ address: '0.0.0.0', port }));
    const facts = {
      started: this.started,
      sockets,
      processes: ['server --token=abc123def'],
      ...(this.cpu && { cpu: this.cpu }),
      ...(this.peers && { peers: this.peers }),
      ...(this.state && { state: this.state }),
    };
    return this.isSlow ? Promise.resolve(facts) : facts;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** Starts a pod whose probe asks port 8080; of the ports that listen, 8081 answers. */
function startRun(
  trials: TrialScope,
  headers: readonly { name: string; value: string }[] = [],
  kubelet: KubeletConfig = { version: '1.36' },
  reason: FailureReason = 'refused',
  statusOf?: (url: URL) => number,
  isSimulated?: () => boolean,
) {
  const clock = new VirtualClock();
  const runtime = new ListeningRuntime(clock);
  const requests: { url: string; authorization: string | undefined }[] = [];
  const reasonAt = (port: number) => (port === 8080 ? reason : (runtime.reasonElsewhere ?? reason));
  const answer = (url: string): ProbeOutcome => {
    const port = Number(new URL(url).port);
    const detail = { address: `127.0.0.1:${port}`, timings: { total: 1 } };
    const statusCode = statusOf?.(new URL(url));
    if (statusCode !== undefined) {
      return { result: statusCode < 400 ? 'success' : 'failure', output: '', statusCode, detail };
    }
    return port === 8081 && runtime.ports.includes(port)
      ? { result: 'success', output: '', statusCode: 200, detail }
      : { result: 'failure', output: '', reason: reasonAt(port), detail };
  };
  const session = new Session({
    clock,
    createRuntime: () => runtime,
    transports: {
      ...fakeTransports().transports,
      http: async (_, { url, header }) => {
        const text = urlString(url);
        requests.push({ url: text, authorization: header.get('Authorization')?.[0] });
        if (!text.includes(':8080')) await runtime.answers;
        return answer(text);
      },
    },
    hostIP: '127.0.0.1',
    kubeletAge: 3_600_000,
    kubelet,
    trials,
    isSimulated,
  });
  const made: Trial[] = [];
  const listened: TraceLine[] = [];
  session.onLine((line) => {
    if (line.kind === 'trial') made.push(line);
    if (line.kind === 'listening') listened.push(line);
  });
  const { exec: _, ...settings } = buildProbe({ periodSeconds: 1, failureThreshold: 100 });
  const path = statusOf === undefined ? '/' : '/healthz';
  const ports = [{ containerPort: 8080 }, { containerPort: 8081 }];
  const httpGet = { path, port: 8080, scheme: 'HTTP', httpHeaders: headers } as const;
  const readinessProbe = { ...settings, httpGet };
  session.start([buildPod({ spec: { containers: [buildContainer({ readinessProbe, ports })] } })]);
  return { clock, session, runtime, made, listened, requests };
}

const triedPorts = (made: readonly Trial[]) => made.map(({ to, result }) => [to, result]);

it('makes a trial again that failed before the server listened', async () => {
  const { clock, runtime, made } = startRun('started');
  runtime.ports = [9229];
  await clock.advance(3500);
  expect(triedPorts(made)).toEqual([[9229, 'failure']]);
  runtime.ports = [9229, 8081];
  await clock.advance(2000);
  expect(triedPorts(made).slice(1)).toEqual([
    [9229, 'failure'],
    [8081, 'success'],
  ]);
});

it.each<[FailureReason, number]>([
  ['timeout', 2],
  ['refused', 1],
])('makes a trial that ends in %s %i times, while nothing changes', async (reason, times) => {
  const { clock, runtime, made } = startRun('started');
  runtime.ports = [9229];
  runtime.reasonElsewhere = reason;
  await clock.advance(12_000);
  expect(made).toHaveLength(times);
});

it('records the share of CPU periods in which a limit stopped a run since the look before', async () => {
  const { clock, runtime, listened } = startRun('none', [], undefined, 'timeout', () => 200);
  const shares = () => listened.map((line) => 'throttled' in line && line.throttled);
  runtime.cpu = { periods: 1000, throttled: 1000 };
  await clock.advance(3500);
  expect(shares()).toEqual([false]);
  runtime.cpu = { periods: 1050, throttled: 1040 };
  await clock.advance(5000);
  expect(shares()).toEqual([false, 0.8]);
  await clock.advance(5000);
  expect(shares()).toEqual([false, 0.8, 0]);
});

it.each([
  [200, false],
  [500, true],
])('records the peers of a server that answers %i: %s', async (status, isRecorded) => {
  const { clock, runtime, listened } = startRun('none', [], undefined, 'refused', () => status);
  runtime.ports = [8080];
  runtime.peers = [{ address: '10.0.0.5', port: 5432 }];
  await clock.advance(2000);
  expect(listened.map((line) => 'peers' in line)).toEqual([isRecorded]);
});

it('diagnoses a pod for replays after each failure and the success that ends them, not after each success', async () => {
  const diagnosed = vi.fn(() => false);
  let status = 200;
  const statusOf = (): number => status;
  const { clock } = startRun('none', [], undefined, 'refused', statusOf, diagnosed);
  const countDuring = async (milliseconds: number): Promise<number> => {
    diagnosed.mockClear();
    for (let at = 0; at < milliseconds; at += 1000) {
      await clock.advance(1000);
      await vi.dynamicImportSettled();
    }
    return diagnosed.mock.calls.length;
  };
  expect(await countDuring(5000)).toBe(0);
  status = 503;
  expect(await countDuring(3000)).toBeGreaterThan(0);
  status = 200;
  expect(await countDuring(2000)).toBeGreaterThan(0);
  expect(await countDuring(5000)).toBe(0);
});

it.each([
  ['has the path is found', (path: string) => path === '/healthz', 'success', '200'],
  ['answers any path is not taken for the right one', () => true, 'failure', 'it answers any path'],
] as const)('another declared port that %s', async (_, answers, result, word) => {
  const { clock, runtime, made } = startRun('started', [], { version: '1.36' }, 'refused', (url) =>
    url.port === '8081' && answers(url.pathname) ? 200 : 404,
  );
  runtime.ports = [8080, 8081];
  await clock.advance(3500);
  expect(made.findLast(({ field }) => field.endsWith('port'))).toMatchObject({
    to: 8081,
    result,
    word,
  });
});

it('makes at most nine trials of a probe in a run', async () => {
  const { clock, runtime, made } = startRun('started');
  for (let port = 9000; port < 9012; port++) {
    runtime.ports = [port];
    await clock.advance(1000);
  }
  expect(made).toHaveLength(9);
});

it.each<readonly [TrialScope, boolean, number]>([
  ['none', true, 0],
  ['started', false, 0],
  ['started', true, 1],
  ['all', true, 1],
])(
  'with the scope %s, and a server that kprobe has started: %s, makes %i trials',
  async (...row) => {
    const [scope, started, count] = row;
    const { clock, runtime, made } = startRun(scope);
    runtime.started = started;
    runtime.ports = [8081];
    await clock.advance(2500);
    expect(made).toHaveLength(count);
  },
);

it.each<readonly [TrialScope, number]>([
  ['none', 1],
  ['all', 0],
])('with the scope %s, makes %i trials at a key', async (scope, count) => {
  const { clock, runtime, made, session } = startRun(scope);
  runtime.ports = [8081];
  await clock.advance(2500);
  made.splice(0);
  expect(session.tryChanges('default/web', 'app', 'readiness')).toBe(count);
  await clock.advance(0);
  expect(triedPorts(made)).toEqual(count === 0 ? [] : [[8081, 'success']]);
  expect(session.tryChanges('default/web', 'app', 'readiness')).toBe(0);
});

it.each([
  ['that was simulated', true, 1],
  ['of its process', false, 0],
])('after a restart %s (%s), a trial that began before counts %i times', async (...row) => {
  const [, isSimulated, count] = row;
  const { clock, runtime, made, session } = startRun(
    ...(['none', [], undefined, 'refused', undefined, () => isSimulated] as const),
  );
  runtime.ports = [8081];
  await clock.advance(2500);
  let answer: () => void = () => undefined;
  runtime.answers = new Promise((resolve) => (answer = resolve));
  expect(session.tryChanges('default/web', 'app', 'readiness')).toBe(1);
  runtime.exit(runtime.ids().at(-1) ?? '', 1);
  await clock.advance(3000);
  expect(runtime.ids()).toHaveLength(2);
  answer();
  await clock.advance(0);
  expect(made).toHaveLength(count);
});

it('sends the headers of the manifest in a trial, and masks them in the trace', async () => {
  const header = { name: 'Authorization', value: 'Bearer 12345-67890' };
  const { clock, runtime, requests, session } = startRun('started', [header]);
  runtime.ports = [8081];
  await clock.advance(2500);
  const trial = requests.find(({ url }) => url.includes(':8081'));
  expect(trial?.authorization).toBe(header.value);
  expect(JSON.stringify(session.summary.pods)).not.toContain('12345-67890');
});

it('masks secrets in the command lines of processes', async () => {
  const { clock, runtime, listened } = startRun('none');
  runtime.ports = [8081];
  await clock.advance(1500);
  expect(listened.length).toBeGreaterThan(0);
  expect(JSON.stringify(listened)).not.toContain('abc123def');
});

it('adds facts that come after the attempt, and none after the end', async () => {
  const { clock, runtime, listened, session } = startRun('none');
  runtime.isSlow = true;
  runtime.ports = [8081];
  await clock.advance(1500);
  expect(listened).toMatchObject([{ sockets: [{ port: 8081 }] }]);
  runtime.ports = [8082];
  await session.end();
  await clock.advance(1500);
  expect(listened).toHaveLength(1);
});

it.each<[KubeletConfig, readonly unknown[]]>([
  [{ version: '1.36' }, []],
  [{ version: '1.37', featureGates: { H2CContainerProbe: true } }, ['HTTP2']],
])('with the kubelet %j, tries HTTP/2 without TLS where it has the field: %j', async (...row) => {
  const [kubelet, tried] = row;
  const { clock, made } = startRun('started', [], kubelet, 'speaksHTTP2');
  await clock.advance(3000);
  expect(made.map(({ to }) => to)).toEqual(tried);
});

it('looks at an init container that still runs after 6 s, unless the run has ended', async () => {
  for (const [seconds, looks] of [
    [10, 1],
    [3, 0],
  ] as const) {
    const { clock, session, listened } = startRun('none');
    const initContainers = [buildContainer({ name: 'wait' })];
    const metadata = { name: 'late', uid: 'late' };
    session.start([buildPod({ metadata, spec: { initContainers, containers: [] } })]);
    await clock.advance(seconds * 1000);
    void session.end();
    await clock.advance(10_000);
    const ofInit = listened.filter((line) => 'container' in line && line.container === 'wait');
    expect(ofInit).toHaveLength(looks);
  }
});

it('looks at a container every 6 s while its postStart hook runs, and records what changes', async () => {
  const { clock, session, runtime, listened } = startRun('none');
  runtime.commands.set('forever', () => new Promise(() => undefined));
  const lifecycle = { postStart: { exec: { command: ['forever'] } } };
  const containers = [buildContainer({ name: 'hooked', lifecycle })];
  const metadata = { name: 'late', uid: 'late' };
  session.start([buildPod({ metadata, spec: { containers } })]);
  const states = () =>
    listened.flatMap((line) => {
      if (line.kind !== 'listening' || line.container !== 'hooked') return [];
      return [line.state ?? 'runs'];
    });
  await clock.advance(13_000);
  expect(states()).toEqual(['runs']);
  runtime.state = 'paused';
  await clock.advance(6000);
  expect(states()).toEqual(['runs', 'paused']);
  void session.end();
});

it('asks the URL of a silent command itself, and again after twice as many failures', async () => {
  const { clock, session, runtime, made } = startRun(
    'started',
    [],
    undefined,
    'refused',
    () => 503,
  );
  const empty = new Uint8Array();
  const command = ['curl', '-fs', 'http://localhost:8080/state'];
  runtime.ports = [8080];
  runtime.commands.set(command.join(' '), {
    kind: 'exited',
    exitCode: 22,
    stdout: empty,
    stderr: empty,
  });
  const readinessProbe = buildProbe({ exec: { command }, periodSeconds: 1 });
  const containers = [buildContainer({ readinessProbe })];
  session.start([buildPod({ metadata: { name: 'check', uid: 'check' }, spec: { containers } })]);
  await clock.advance(9500);
  const asked = made.filter(({ field }) => field === 'readinessProbe.exec.url');
  expect(asked.map(({ t, to, word }) => [Math.floor(t), to, word])).toEqual(
    [1, 2, 3, 7].map((second) => [second, 'http://127.0.0.1:8080/state', '503']),
  );
});
