import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';

import { describe, expect, it, onTestFinished } from 'vitest';

import { RealClock } from '../../../src/clock/real-clock.js';
import { headerOf } from '../../../src/go/http/header.js';
import { EMPTY_URL } from '../../../src/go/url.js';
import { Attempt } from '../../../src/probe/attempt.js';
import { EXPIRED, idnaASCII, roundTrip } from '../../../src/probe/http/client.js';
import { buildContainer, buildPod } from '../../helpers/builders.js';
import { startRawServer, startReplyServer } from '../../helpers/raw-server.js';
import { certificate } from '../../helpers/servers/certificate.js';

const TRANSPORT = { close: true, gzip: false, http2: false, handshakeTimeout: 1000 };
const target = { pod: buildPod(), container: buildContainer(), containerID: 'c' };

async function trip(scheme: string, host: string, fields: readonly [string, string][] = []) {
  const attempt = new Attempt({ clock: new RealClock() }, target, 5000);
  onTestFinished(() => void attempt.end());
  const url = { ...EMPTY_URL, scheme, host, path: '/' };
  return roundTrip(attempt, TRANSPORT, { url, header: headerOf(fields), host: '' });
}

describe('roundTrip', () => {
  it('returns the status, the header and a body to read', async () => {
    const { port } = await startReplyServer('HTTP/1.1 201 x\r\nA: b\r\n\r\nok');
    const { statusCode, header, body } = await trip('http', `127.0.0.1:${port}`);
    expect([statusCode, header.get('A')]).toEqual([201, ['b']]);
    expect(await body.read(Buffer.alloc(9))).toEqual({ size: 2 });
  });

  it('accepts any certificate over TLS', async () => {
    const server = createServer(certificate('expired'), (socket) => {
      socket.end('HTTP/1.1 200 OK\r\n\r\n');
    });
    onTestFinished(() => void server.close());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect((await trip('https', `127.0.0.1:${port}`)).statusCode).toBe(200);
  });

  it('gives the answer of a server that does not wait for the request', async () => {
    const { port } = await startRawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.resetAndDestroy();
    });
    await expect(trip('http', `127.0.0.1:${port}`)).resolves.toMatchObject({ statusCode: 200 });
  });

  it.each<[string, string, [string, string][], string]>([
    ['ftp', 'h', [], 'unsupported protocol scheme "ftp"'],
    ['http', '', [], 'http: no Host in request URL'],
    ['http', 'h', [['a b', 'c']], 'net/http: invalid header field name "a b"'],
  ])('with scheme %s, host %j and headers %j fails', async (scheme, host, fields, message) => {
    await expect(trip(scheme, host, fields)).rejects.toThrow(message);
  });

  it('fails after the timeout', async () => {
    const attempt = new Attempt({ clock: new RealClock() }, target, 0);
    await new Promise((resolve) => attempt.deadline.onEnd(() => resolve(undefined)));
    const url = { ...EMPTY_URL, scheme: 'http', host: 'h', path: '/' };
    const request = { url, header: headerOf([]), host: '' };
    await expect(roundTrip(attempt, TRANSPORT, request)).rejects.toBe(EXPIRED);
  });
});

it.each([
  ['example.com', 'example.com'],
  ['b\xc3\xbccher.example', 'xn--bcher-kva.example'],
])('idnaASCII(%j) is %j', (host, ascii) => {
  expect(idnaASCII(host)).toBe(ascii);
});
