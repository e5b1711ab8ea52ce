import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, expect, it } from 'vitest';

import { RealClock } from '../../../src/clock/real-clock.js';
import { ApiEngine } from '../../../src/runtime/container/api-engine.js';
import { EngineCli } from '../../../src/runtime/container/engine-cli.js';

const sockets = new Set<Socket>();
let server: Server;

afterEach(() => {
  server.close();
  for (const socket of sockets) socket.destroy();
});

async function engineOf(answer: (socket: Socket, request: Buffer) => void): Promise<ApiEngine> {
  const path = join(mkdtempSync(join(tmpdir(), 'kprobe-test-')), 'engine.sock');
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('data', (request) => answer(socket, request));
  }).listen(path);
  await once(server, 'listening');
  const host = { env: {}, cwd: '/', kill: () => true };
  return new ApiEngine(new EngineCli('docker', new RealClock(), host), `unix://${path}`);
}

async function pingOf(
  answer: (socket: Socket, request: Buffer) => void,
  limit?: number,
): Promise<string> {
  const engine = await engineOf(answer);
  const failure = await engine.ping(limit);
  return (failure?.message ?? '').replace(engine.endpoint.slice('unix://'.length), 'PATH');
}

const HEAD = 'HTTP/1.1 200 OK\r\n\r\n';

/** Writes as fast as the other side reads, without an end. */
function flood(socket: Socket): void {
  const chunk = Buffer.alloc(1024 * 1024, 'a');
  const write = (): void => {
    while (socket.writable && socket.write(chunk));
  };
  socket.on('drain', write).write(HEAD);
  write();
}

it.each([
  ['is not HTTP', (socket: Socket) => socket.end('\u001b]0;x\u0007\r\n\r\n')],
  ['does not end', flood],
])('an answer that %s is no answer of an engine', async (_, answer) => {
  expect(await pingOf(answer)).toBe('unix://PATH is not the socket of a container engine');
});

it('an engine that answers its ping alone, as a busy podman does, is there', async () => {
  const answer = (socket: Socket, request: Buffer): void => {
    if (!request.toString().startsWith('GET /_ping')) return;
    socket.end('HTTP/1.1 200 OK\r\nApi-Version: 1.41\r\nContent-Length: 2\r\n\r\nOK');
  };
  expect(await pingOf(answer)).toBe('');
});

it('an answer that comes slowly is not waited for longer than the limit', async () => {
  const trickle = (socket: Socket): void => {
    const timer = setInterval(() => socket.write(' '), 20);
    socket.on('close', () => clearInterval(timer)).write(HEAD);
  };
  expect(await pingOf(trickle, 200)).toBe('docker at unix://PATH did not answer in time');
});

it.each([
  ['404 Not Found', 'No such container: web'],
  ['500 Internal Server Error', 'container web does not exist in database: no such container'],
])(
  'a container that an engine does not have any more is no failure: %s',
  async (status, message) => {
    const body = JSON.stringify({ message });
    const head = `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: ${body.length}`;
    const engine = await engineOf((socket) => socket.end(`${head}\r\n\r\n${body}`));
    expect(await engine.inspect(['web'])).toEqual([]);
  },
);
