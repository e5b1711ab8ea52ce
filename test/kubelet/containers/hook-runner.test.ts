import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';

import { describe, expect, it, onTestFinished } from 'vitest';

import type { LifecycleHandler } from '../../../src/api/index.js';
import { RealClock } from '../../../src/clock/real-clock.js';
import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { HookRunner, type HookRunnerOptions } from '../../../src/kubelet/containers/hook-runner.js';
import type { Event } from '../../../src/kubelet/event.js';
import { type ExecResult, type ProbeTransports, RuntimeError } from '../../../src/kubelet/ports.js';
import { createTransports } from '../../../src/probe/transports.js';
import { buildContainer, buildPod, type PodOverrides } from '../../helpers/builders.js';
import { fakeRecorder } from '../../helpers/fake-recorder.js';
import { FakeRuntime } from '../../helpers/fake-runtime.js';
import { fakeTransports } from '../../helpers/fake-transports.js';

function createRig(
  hook?: (url: string) => string | undefined,
  options: Partial<HookRunnerOptions> = {},
) {
  const { transports, sent } = fakeTransports(hook);
  return { ...createRigOver(transports, options), sent };
}

function createRigOver(transports: ProbeTransports, options: Partial<HookRunnerOptions> = {}) {
  const clock = new VirtualClock(1, 0);
  const runtime = new FakeRuntime(clock);
  const events: Event[] = [];
  const { recorder, told } = fakeRecorder();
  const hooks = new HookRunner({
    clock,
    runtime,
    transports,
    recorder,
    emit: (event) => events.push(event),
    kubeletVersion: '1.36',
    ...options,
  });
  const run = (
    handler: LifecycleHandler,
    pod: PodOverrides = {},
    podIPs: readonly string[] = ['10.0.0.1'],
  ): Promise<string | undefined> => {
    const container = buildContainer({ ports: [{ name: 'http', containerPort: 8080 }] });
    return hooks.run({
      name: 'postStart',
      pod: buildPod(pod),
      container,
      id: 'app-1',
      handler,
      podIPs,
    });
  };
  return { clock, runtime, events, told, run };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const exited = (exitCode: number, stdout = '', stderr = ''): ExecResult => ({
  kind: 'exited',
  exitCode,
  stdout: bytes(stdout),
  stderr: bytes(stderr),
});
const WHOSE = 'for Container "app" in Pod "web_default(uid-1)" failed - error:';

it('a hook is told when it begins and when it ends', async () => {
  const { runtime, events, run } = createRig();
  runtime.commands.set('check', exited(1));
  const error = await run({ exec: { command: ['check'] } });
  const about = { pod: 'default/web', container: 'app', hook: 'postStart' };
  expect(events).toEqual([
    { kind: 'hook', ...about },
    { kind: 'hookDone', ...about, error },
  ]);
});

describe('hooks of a container that is only simulated', () => {
  it('execute and send nothing, and say nothing', async () => {
    const { run, sent, events } = createRig(undefined, { runsHooks: (name) => name !== 'app' });
    expect(await run({ exec: { command: ['kill', '1'] } })).toBeUndefined();
    expect(await run({ httpGet: { path: '/quit', port: 8080 } })).toBeUndefined();
    expect(sent).toEqual([]);
    expect(events).toEqual([]);
  });

  it('sleep as on a node', async () => {
    const { run, clock, events } = createRig(undefined, { runsHooks: () => false });
    const done = run({ sleep: { seconds: 5 } });
    await clock.advance(5000);
    expect(await done).toBeUndefined();
    expect(events.map(({ kind }) => kind)).toEqual(['hook', 'hookDone']);
  });
});

describe('a command', () => {
  const EXEC = `Exec lifecycle hook ([sh -c warm up]) ${WHOSE}`;
  it('that the runtime refuses to run is told', async () => {
    const { runtime, run } = createRig();
    runtime.failures.set('exec', new RuntimeError('container gone'));
    const told = `Exec lifecycle hook ([check]) ${WHOSE} container gone, message: ""`;
    expect(await run({ exec: { command: ['check'] } })).toBe(told);
  });

  it.each<[string, ExecResult, string | undefined]>([
    ['that succeeds is fine', exited(0, 'out', 'err'), undefined],
    [
      'that fails is told with all that it wrote',
      exited(3, 'out\n', 'err "x"'),
      `${EXEC} command 'sh -c warm up' exited with 3: err "x", message: "out\\nerr \\"x\\""`,
    ],
    [
      'that could not be run is told',
      { kind: 'error', message: 'no such container' },
      `${EXEC} no such container, message: ""`,
    ],
    [
      'that took too long is told',
      { kind: 'timedOut' },
      `${EXEC} command timed out: "sh -c warm up", message: ""`,
    ],
  ])('%s', async (_, result, expected) => {
    const { runtime, run } = createRig();
    runtime.commands.set('sh -c warm up', result);
    expect(await run({ exec: { command: ['sh', '-c', 'warm up'] } })).toBe(expected);
    expect(runtime.calls).toEqual(['0 exec app-1 sh -c warm up 0']);
  });
});

it('sleep takes its seconds', async () => {
  const { clock, run } = createRig();
  let ended = -1;
  void run({ sleep: { seconds: 5 } }).then(() => (ended = clock.now()));
  await clock.advance(4_999);
  expect(ended).toBe(-1);
  await clock.advance(1);
  expect(ended).toBe(5_000);
});

describe('a request', () => {
  const get = { path: '/warm', port: 8080 } as const;

  it.each<[string, LifecycleHandler, string]>([
    ["the pod's address", { httpGet: get }, 'http://10.0.0.1:8080/warm'],
    ['the host that is named', { httpGet: { ...get, host: 'h' } }, 'http://h:8080/warm'],
    ['a port by its name', { httpGet: { ...get, port: 'http' } }, 'http://10.0.0.1:8080/warm'],
    ['TLS', { httpGet: { ...get, scheme: 'HTTPS' } }, 'https://10.0.0.1:8080/warm'],
  ])('goes to %s', async (_, handler, url) => {
    const { sent, run } = createRig();
    expect(await run(handler)).toBeUndefined();
    expect(sent.map((each) => each.url)).toEqual([url]);
  });

  it.each<[string, LifecycleHandler, PodOverrides, string[], string]>([
    ['that fails', { httpGet: { ...get, host: 'bad' } }, {}, ['10.0.0.1'], 'connection refused'],
    [
      'whose port has no such name',
      { httpGet: { ...get, port: 'nope' } },
      {},
      ['10.0.0.1'],
      'strconv.Atoi: parsing "nope": invalid syntax',
    ],
    [
      'of a pod without an address',
      { httpGet: get },
      {},
      [],
      'failed to find networking container',
    ],
    [
      "of a pod on the node's network, which the runtime gives no address",
      { httpGet: get },
      { spec: { hostNetwork: true } },
      ['192.168.0.1'],
      'failed to find networking container',
    ],
  ])('%s is told', async (_, handler, pod, ips, why) => {
    const { run } = createRig((url) => (url.includes('bad') ? 'connection refused' : undefined));
    const told = await run(handler, pod, ips);
    expect(told).toContain(`HTTP lifecycle hook (/warm) ${WHOSE} `);
    expect(told).toContain(why);
  });

  const refusal =
    'Get "https://10.0.0.1:8080/warm": http: server gave HTTP response to HTTPS client';
  const withSecret = {
    httpGet: {
      ...get,
      scheme: 'HTTPS' as const,
      httpHeaders: [
        { name: 'Authorization', value: 's' },
        { name: 'X-A', value: 'b' },
      ],
    },
  };

  it('with TLS to a server without goes again without, and without what is secret', async () => {
    const { sent, told, run } = createRig((url) => (url.startsWith('https') ? refusal : undefined));
    expect(await run(withSecret)).toBeUndefined();
    expect(sent.map((each) => each.url)).toEqual([
      'https://10.0.0.1:8080/warm',
      'http://10.0.0.1:8080/warm',
    ]);
    expect(sent.map(({ headers }) => headers.includes('Authorization'))).toEqual([true, false]);
    expect(sent[1]?.headers).toContain('X-A');
    expect(told).toEqual([
      'pod Warning LifecycleHTTPFallback: request to HTTPS lifecycle hook 10.0.0.1:8080 got HTTP response, retry with HTTP succeeded',
    ]);
  });

  it('that fails again without TLS is told with the first failure', async () => {
    const { told, run } = createRig((url) => (url.startsWith('https') ? refusal : 'reset'));
    expect(await run(withSecret)).toBe(`HTTP lifecycle hook (/warm) ${WHOSE} ${refusal}`);
    expect(told).toEqual([]);
  });
});

/** Starts a server without TLS; `connections` counts those that clients have made to it. */
async function plainServer(resetsRequests: boolean) {
  let connections = 0;
  const server = createServer((request, response) => {
    if (resetsRequests) request.socket.destroy();
    else response.end('warm');
  });
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

describe('an HTTPS hook to a real server without TLS', () => {
  const runOver = async (port: number) => {
    const { told, run } = createRigOver(createTransports({ clock: new RealClock() }));
    const error = await run({ httpGet: { scheme: 'HTTPS', port, path: '/warm' } }, {}, [
      '127.0.0.1',
    ]);
    return { told, error };
  };

  it('that answers over HTTP sends two requests and records the fallback', async () => {
    const { port, connections } = await plainServer(false);
    expect(await runOver(port)).toEqual({
      error: undefined,
      told: [
        `pod Warning LifecycleHTTPFallback: request to HTTPS lifecycle hook 127.0.0.1:${port} got HTTP response, retry with HTTP succeeded`,
      ],
    });
    expect(connections()).toBe(2);
  });

  it('that fails over HTTP as well sends two requests and tells the first failure', async () => {
    const { port, connections } = await plainServer(true);
    const { told, error } = await runOver(port);
    expect(error).toContain('http: server gave HTTP response to HTTPS client');
    expect(told).toEqual([]);
    expect(connections()).toBe(2);
  });
});

it.each<[LifecycleHandler, string]>([
  [{}, 'nil'],
  [{ tcpSocket: { port: 8080 } }, '&TCPSocketAction{Port:{0 8080 },Host:,}'],
  [{ tcpSocket: { port: 'http', host: 'h' } }, '&TCPSocketAction{Port:{1 0 http},Host:h,}'],
])('the handler %j cannot be run', async (handler, socket) => {
  const { run } = createRig();
  expect(await run(handler)).toBe(
    `Cannot run handler: invalid handler: &LifecycleHandler{Exec:nil,HTTPGet:nil,TCPSocket:${socket},Sleep:nil,}`,
  );
});
