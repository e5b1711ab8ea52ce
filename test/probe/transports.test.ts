import { Socket } from 'node:net';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { RealClock } from '../../src/clock/real-clock.js';
import type { GoUrl } from '../../src/go/url.js';
import { parseUrl } from '../../src/go/url-parse.js';
import { type ProbeOutcome, RuntimeError } from '../../src/kubelet/ports.js';
import { createTransports } from '../../src/probe/transports.js';
import { buildContainer, buildPod } from '../helpers/builders.js';
import { freePort } from '../helpers/free-port.js';
import { startRawServer, startReplyServer } from '../helpers/raw-server.js';

const transports = createTransports({ clock: new RealClock() });
const target = { pod: buildPod(), container: buildContainer(), containerID: 'c' };

describe('a TCP probe', () => {
  it('succeeds with a connection', async () => {
    const { port } = await startReplyServer('');
    const outcome = await transports.tcp(target, '127.0.0.1', port, 5);
    expect(outcome).toMatchObject({ result: 'success', output: '' });
    expect(outcome.detail?.address).toBe(`127.0.0.1:${port}`);
  });

  it('fails when the connection is refused', async () => {
    const port = await freePort();
    const output = `dial tcp 127.0.0.1:${port}: connect: connection refused`;
    expect(await transports.tcp(target, '127.0.0.1', port, 5)).toMatchObject({
      result: 'failure',
      reason: 'refused',
      output,
    });
  });
});

describe('a machine without descriptors', () => {
  const request = (text: string) => ({ url: url(text), header: new Map(), host: '' });

  it.each<[string, () => PromiseLike<ProbeOutcome>]>([
    ['TCP', () => transports.tcp(target, '127.0.0.1', 80, 5)],
    ['HTTP', () => transports.http(target, request('http://127.0.0.1:80/'), 5)],
    ['HTTPS', () => transports.http(target, request('https://127.0.0.1:80/'), 5)],
    ['HTTP of a name', () => transports.http(target, request('http://localhost:80/'), 5)],
    ['gRPC', () => transports.grpc(target, '127.0.0.1', 80, '', 5)],
  ])('makes an attempt of %s an error, which does not count', async (_, attempt) => {
    const error = Object.assign(new Error('connect EMFILE'), { code: 'EMFILE' });
    const connect = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (
      this: Socket,
    ) {
      return this.destroy(error);
    });
    onTestFinished(() => connect.mockRestore());
    const outcome = await attempt();
    expect(outcome).toEqual({
      result: 'unknown',
      output: '',
      error: expect.stringMatching(/^dial tcp .*:80: socket: too many open files$/) as string,
    });
  });
});

it('a gRPC attempt fails as notConnected when nothing listens', async () => {
  const port = await freePort();
  const outcome = await transports.grpc(target, '127.0.0.1', port, '', 0.2);
  expect(outcome).toMatchObject({ result: 'failure', reason: 'notConnected' });
  expect(outcome.output).toContain('timeout: failed to connect service');
});

it.each([
  ['says nothing', () => undefined, 'timeout'],
  ['ends the connection', (socket: Socket) => socket.destroy(), 'notConnected'],
  ['speaks HTTP/1.1', (socket: Socket) => socket.write('HTTP/1.1 400 Bad\r\n\r\n'), 'notConnected'],
] as const)(
  'a gRPC attempt fails with its reason where the server %s',
  async (_, serve, reason) => {
    const { port } = await startRawServer(serve);
    const outcome = await transports.grpc(target, '127.0.0.1', port, '', 0.2);
    expect(outcome).toMatchObject({ result: 'failure', reason });
    expect(outcome.output).toContain('timeout: failed to connect service');
  },
);

describe('an HTTP attempt returns the reason of its failure', () => {
  const get = (port: number, scheme = 'http', host = '127.0.0.1') =>
    transports.http(target, { url: url(`${scheme}://${host}:${port}/`), header: new Map(), host: '' }, 0.3); // prettier-ignore

  it.each<[string, string, Partial<ProbeOutcome>]>([
    ['http', 'HTTP/1.1 503 No\r\n\r\n', { statusCode: 503 }],
    ['http', 'HTTP/1.1 200 OK\r\n\r\n', { statusCode: 200 }],
    ['http', '', { reason: 'closed' }],
    ['http', 'SSH-2.0-x\r\n', { reason: 'notHTTP' }],
    ['http', 'SSH-2.0-x Debian\r\n', { reason: 'notHTTP' }],
    ['http', 'HTTP/1.1 abc OK\r\n\r\n', { reason: 'badHTTP' }],
    [
      'http',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n',
      { reason: 'badHTTP' },
    ],
    ['http', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nok\r\n', { reason: 'badHTTP' }],
    ['http', 'HTTP/1.1 200 OK\r\nno colon\r\n\r\n', { reason: 'badHTTP' }],
    ['http', '\x15\x03\x01\x00\x02\x02\x28', { reason: 'speaksTLS' }],
    ['http', '\0\0\x06\x04\0\0\0\0\0\0\x05', { reason: 'speaksHTTP2' }],
    ['https', 'HTTP/1.1 400 No\r\n\r\n', { reason: 'plainHTTP' }],
    ['https', '\x15\x03\x01\x00\x02\x02\x28', { reason: 'tls' }],
  ])('over %s when the server sends %j', async (scheme, reply, outcome) => {
    const { port } = await startReplyServer(reply);
    expect(await get(port, scheme)).toMatchObject(outcome);
  });

  it('without a server, an answer, such a name or an end of redirects', async () => {
    expect((await get(await freePort())).reason).toBe('refused');
    const silent = await startRawServer(() => undefined);
    expect((await get(silent.port)).reason).toBe('timeout');
    expect((await get(1, 'http', 'a..b')).reason).toBe('noHost');
    const circle = await startReplyServer('HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n');
    expect((await get(circle.port)).reason).toBe('redirects');
  });
});

function url(text: string): GoUrl {
  const parsed = parseUrl(text);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value;
}

describe('a connection that the runtime fails to make', () => {
  const broken = createTransports({
    clock: new RealClock(),
    connect: () => Promise.reject(new RuntimeError('cannot enter the network')),
  });
  const request = { url: url('http://127.0.0.1:80/'), header: new Map(), host: '' };

  it.each([
    ['HTTP', () => broken.http(target, request, 1)],
    ['TCP', () => broken.tcp(target, '127.0.0.1', 80, 1)],
    ['gRPC', () => broken.grpc(target, '127.0.0.1', 80, '', 1)],
  ])('is an error of %s attempts, not a failure', async (_, attempt) => {
    expect(await attempt()).toEqual({
      result: 'unknown',
      output: '',
      error: 'cannot enter the network',
    });
  });

  it('is the error of a hook', async () => {
    expect(await broken.httpHook(target, request)).toBe('cannot enter the network');
  });
});
