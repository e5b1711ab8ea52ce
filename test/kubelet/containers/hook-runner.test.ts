import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';

import { describe, expect, it, onTestFinished } from 'vitest';

import type { LifecycleHandler } from '../../../src/api/index.js';
import { RealClock } from '../../../src/clock/real-clock.js';
import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { HookRunner, type HookRunnerOptions } from '../../../src/kubelet/containers/hook-runner.js';
import { type ExecResult, type ProbeTransports, RuntimeError } from '../../../src/kubelet/ports.js';
import { createTransports } from '../../../src/probe/transports.js';
import type { Event } from '../../../src/trace/event.js';
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
  const { recorder, recorded } = fakeRecorder();
  const hooks = new HookRunner({
    clock,
    runtime,
    transports,
    recorder,
    emit: (event) => events.push(event),
    kubelet: { version: '1.36' },
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
  return { clock, runtime, events, recorded, run };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const exited = (exitCode: number, stdout = '', stderr = ''): ExecResult => ({
  kind: 'exited',
  exitCode,
  stdout: bytes(stdout),
  stderr: bytes(stderr),
});
const FAILED = 'for Container "app" in Pod "web_default(uid-1)" failed - error:';

it('a hook emits an event when it starts and one when it ends', async () => {
  const { runtime, events, run } = createRig();
  runtime.commands.set('check', exited(1));
  const error = await run({ exec: { command: ['check'] } });
  const subject = { pod: 'default/web', container: 'app', hook: 'postStart' };
  expect(events).toEqual([
    { kind: 'hook', ...subject },
    { kind: 'hookDone', ...subject, error },
  ]);
});

describe('the hooks of a simulated container', () => {
  it('execute nothing, send nothing and emit no events', async () => {
    const { run, sent, events } = createRig(undefined, { runsHooks: (name) => name !== 'app' });
    expect(await run({ exec: { command: ['kill', '1'] } })).toBeUndefined();
    expect(await run({ httpGet: { path: '/quit', port: 8080 } })).toBeUndefined();
    expect(sent).toEqual([]);
    expect(events).toEqual([]);
  });

  it('sleep as usual', async () => {
    const { run, clock, events } = createRig(undefined, { runsHooks: () => false });
    const done = run({ sleep: { seconds: 5 } });
    await clock.advance(5000);
    expect(await done).toBeUndefined();
    expect(events.map(({ kind }) => kind)).toEqual(['hook', 'hookDone']);
  });
});

describe('an exec hook', () => {
  const EXEC = `Exec lifecycle hook ([sh -c warm up]) ${FAILED}`;
  it('is reported with the error when the runtime refuses to run it', async () => {
    const { runtime, run } = createRig();
    runtime.failures.set('exec', new RuntimeError('container gone'));
    const message = `Exec lifecycle hook ([check]) ${FAILED} container gone, message: ""`;
    expect(await run({ exec: { command: ['check'] } })).toBe(message);
  });

  it.each<[string, ExecResult, string | undefined]>([
    ['returns no error when the command succeeds', exited(0, 'out', 'err'), undefined],
    [
      'returns the exit code and the output when the command fails',
      exited(3, 'out\n', 'err "x"'),
      `${EXEC} command 'sh -c warm up' exited with 3: err "x", message: "out\\nerr \\"x\\""`,
    ],
    [
      'returns the error when the command could not be run',
      { kind: 'error', message: 'no such container' },
      `${EXEC} no such container, message: ""`,
    ],
    [
      'returns a timeout error when the command timed out',
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

it('a sleep hook ends after its seconds', async () => {
  const { clock, run } = createRig();
  let ended = -1;
  void run({ sleep: { seconds: 5 } }).then(() => (ended = clock.now()));
  await clock.advance(4_999);
  expect(ended).toBe(-1);
  await clock.advance(1);
  expect(ended).toBe(5_000);
});

describe('an HTTP hook', () => {
  const get = { path: '/warm', port: 8080 } as const;

  it.each<[string, LifecycleHandler, string]>([
    ['the pod IP', { httpGet: get }, 'http://10.0.0.1:8080/warm'],
    ['the host of the hook', { httpGet: { ...get, host: 'h' } }, 'http://h:8080/warm'],
    ['a named port', { httpGet: { ...get, port: 'http' } }, 'http://10.0.0.1:8080/warm'],
    ['HTTPS', { httpGet: { ...get, scheme: 'HTTPS' } }, 'https://10.0.0.1:8080/warm'],
  ])('sends its request to %s', async (_, handler, url) => {
    const { sent, run } = createRig();
    expect(await run(handler)).toBeUndefined();
    expect(sent.map((each) => each.url)).toEqual([url]);
  });

  it.each<[string, LifecycleHandler, PodOverrides, string[], string]>([
    [
      'its request fails',
      { httpGet: { ...get, host: 'bad' } },
      {},
      ['10.0.0.1'],
      'connection refused',
    ],
    [
      'its port name is unknown',
      { httpGet: { ...get, port: 'nope' } },
      {},
      ['10.0.0.1'],
      'strconv.Atoi: parsing "nope": invalid syntax',
    ],
    ['the pod has no IP', { httpGet: get }, {}, [], 'failed to find networking container'],
    [
      'the pod uses the host network and the runtime reports no IP',
      { httpGet: get },
      { spec: { hostNetwork: true } },
      ['192.168.0.1'],
      'failed to find networking container',
    ],
  ])('returns an error when %s', async (_, handler, pod, ips, cause) => {
    const { run } = createRig((url) => (url.includes('bad') ? 'connection refused' : undefined));
    const error = await run(handler, pod, ips);
    expect(error).toContain(`HTTP lifecycle hook (/warm) ${FAILED} `);
    expect(error).toContain(cause);
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

  it('falls back to HTTP without credentials when the server does not speak TLS', async () => {
    const { sent, recorded, run } = createRig((url) =>
      url.startsWith('https') ? refusal : undefined,
    );
    expect(await run(withSecret)).toBeUndefined();
    expect(sent.map((each) => each.url)).toEqual([
      'https://10.0.0.1:8080/warm',
      'http://10.0.0.1:8080/warm',
    ]);
    expect(sent.map(({ headers }) => headers.includes('Authorization'))).toEqual([true, false]);
    expect(sent[1]?.headers).toContain('X-A');
    expect(recorded).toEqual([
      'pod Warning LifecycleHTTPFallback: request to HTTPS lifecycle hook 10.0.0.1:8080 got HTTP response, retry with HTTP succeeded',
    ]);
  });

  it('returns the first error when the HTTP fallback fails too', async () => {
    const { recorded, run } = createRig((url) => (url.startsWith('https') ? refusal : 'reset'));
    expect(await run(withSecret)).toBe(`HTTP lifecycle hook (/warm) ${FAILED} ${refusal}`);
    expect(recorded).toEqual([]);
  });
});

/** Starts an HTTP server without TLS; `connections` returns the number of connections made to it. */
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

describe('an HTTPS hook with a real server without TLS', () => {
  const runOver = async (port: number) => {
    const { recorded, run } = createRigOver(createTransports({ clock: new RealClock() }));
    const error = await run({ httpGet: { scheme: 'HTTPS', port, path: '/warm' } }, {}, [
      '127.0.0.1',
    ]);
    return { recorded, error };
  };

  it('sends two requests and records the fallback when HTTP succeeds', async () => {
    const { port, connections } = await plainServer(false);
    expect(await runOver(port)).toEqual({
      error: undefined,
      recorded: [
        `pod Warning LifecycleHTTPFallback: request to HTTPS lifecycle hook 127.0.0.1:${port} got HTTP response, retry with HTTP succeeded`,
      ],
    });
    expect(connections()).toBe(2);
  });

  it('sends two requests and returns the first error when HTTP fails too', async () => {
    const { port, connections } = await plainServer(true);
    const { recorded, error } = await runOver(port);
    expect(error).toContain('http: server gave HTTP response to HTTPS client');
    expect(recorded).toEqual([]);
    expect(connections()).toBe(2);
  });
});

it.each<[LifecycleHandler, string]>([
  [{}, 'nil'],
  [{ tcpSocket: { port: 8080 } }, '&TCPSocketAction{Port:{0 8080 },Host:,}'],
  [{ tcpSocket: { port: 'http', host: 'h' } }, '&TCPSocketAction{Port:{1 0 http},Host:h,}'],
])('an unsupported handler %j is an error', async (handler, socket) => {
  const { run } = createRig();
  expect(await run(handler)).toBe(
    `Cannot run handler: invalid handler: &LifecycleHandler{Exec:nil,HTTPGet:nil,TCPSocket:${socket},Sleep:nil,}`,
  );
});
