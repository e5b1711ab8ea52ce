import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { createSecureContext, createServer, type TlsOptions, TLSSocket } from 'node:tls';

import { describe, expect, it, onTestFinished } from 'vitest';

import { RealClock } from '../../../src/clock/real-clock.js';
import { Attempt } from '../../../src/probe/attempt.js';
import { Conn } from '../../../src/probe/net/conn.js';
import { openConn } from '../../../src/probe/net/dial.js';
import { secure } from '../../../src/probe/net/tls.js';
import { buildContainer, buildPod } from '../../helpers/builders.js';
import { startRawServer } from '../../helpers/raw-server.js';
import { certificate } from '../../helpers/servers/certificate.js';

const target = { pod: buildPod(), container: buildContainer(), containerID: 'c' };

async function secureTo(port: number, handshakeTimeout = 5000) {
  const attempt = new Attempt({ clock: new RealClock() }, target, 10_000);
  onTestFinished(() => void attempt.end());
  const raw = await openConn(attempt, `127.0.0.1:${port}`);
  return secure(attempt, raw, { serverName: '127.0.0.1', protocols: ['h2'], handshakeTimeout });
}

async function tlsServer(options: TlsOptions, onSecure: (socket: Socket) => void): Promise<number> {
  const server = createServer({ ...certificate('selfSigned'), ...options }, (socket) => {
    socket.on('error', () => undefined);
    onSecure(socket);
  });
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

interface HelloParts {
  readonly random?: string;
  readonly cipher?: string;
  readonly compression?: string;
  readonly extensions?: string;
}

/** Returns a record with a ServerHello of TLS 1.2; its parts are hexadecimal. */
function serverHello(parts: HelloParts): string {
  const { random = '11'.repeat(32), cipher = 'c02f', compression = '00' } = parts;
  const { extensions = 'ff01000100' } = parts;
  const sized = (hex: string, digits: number): string =>
    (hex.length / 2).toString(16).padStart(digits, '0') + hex;
  const body = `0303${random}00${cipher}${compression}${sized(extensions, 4)}`;
  return Buffer.from(`160303${sized(`02${sized(body, 6)}`, 4)}`, 'hex').toString('latin1');
}

describe('a TLS handshake', () => {
  it('returns the ALPN protocol and a connection with the data', async () => {
    const port = await tlsServer({ ALPNProtocols: ['h2'] }, (socket) => socket.end('hello'));
    const { conn, protocol } = await secureTo(port);
    expect(protocol).toBe('h2');
    expect(await conn.read(Buffer.alloc(9))).toBe(5);
    expect(await conn.read(Buffer.alloc(9))).toBe(0);
  });

  it.each<[string, TlsOptions, string]>([
    ['only old versions', { maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }, 'protocol version not supported'], // prettier-ignore
    ['other ALPN protocols', { ALPNProtocols: ['x'] }, 'no application protocol'],
    ['other ciphers', { ciphers: 'AES128-SHA256', maxVersion: 'TLSv1.2' }, 'handshake failure'],
  ])('fails with the alert of a server with %s', async (_, options, alert) => {
    const port = await tlsServer({ minVersion: 'TLSv1', ...options }, (socket) => socket.end());
    await expect(secureTo(port)).rejects.toThrow(`remote error: tls: ${alert}`);
  });

  it.each([
    ['HTTP', 'HTTP/1.1 400 Bad Request\r\n\r\n', 'http: server gave HTTP response to HTTPS client'],
    ['SSH', 'SSH-2.0-x\r\n', 'tls: first record does not look like a TLS handshake'],
    ['nothing', '', 'EOF'],
    ['a partial record', 'HTT', 'unexpected EOF'],
    ['a close_notify', '\x15\x03\x03\x00\x02\x01\x00', 'EOF'],
    ['TLS 1.0', '\x15\x03\x01\x00\x02\x02\x28', 'remote error: tls: handshake failure'],
    [
      'a record that is too long',
      '\x16\x03\x03\x4e\x20',
      'tls: oversized record received with length 20000',
    ],
    [
      'an alert of another level',
      '\x15\x03\x03\x00\x02\x03\x28',
      'local error: tls: unexpected message',
    ],
    [
      'a cipher that nobody knows',
      serverHello({ cipher: 'fefe' }),
      'tls: server chose an unconfigured cipher suite',
    ],
    [
      'a cipher of TLS 1.3 alone',
      serverHello({ cipher: '1301' }),
      'tls: server chose an unconfigured cipher suite',
    ],
    [
      'a compression',
      serverHello({ compression: '01' }),
      'tls: server selected unsupported compression format',
    ],
    [
      'TLS 1.3 without the session id',
      serverHello({ cipher: '1301', extensions: '002b00020304' }),
      'tls: server did not echo the legacy session ID',
    ],
    [
      'the mark of a downgrade',
      serverHello({ random: `${'11'.repeat(24)}444f574e47524401` }),
      'tls: downgrade attempt detected, possibly due to a MitM attack or a broken middlebox',
    ],
    [
      'a renegotiation',
      serverHello({ extensions: 'ff010006056162636465' }),
      'tls: initial handshake had non-empty renegotiation extension',
    ],
    [
      'an extension twice',
      serverHello({ extensions: 'ff01000100ff01000100' }),
      'local error: tls: error decoding message',
    ],
    [
      'a short message',
      '\x16\x03\x03\x00\x06\x02\x00\x00\x02\x03\x03',
      'local error: tls: error decoding message',
    ],
  ])('fails as in Go when the server sends %s', async (_, bytes, message) => {
    const { port } = await startRawServer((socket) => socket.end(bytes, 'latin1'));
    await expect(secureTo(port)).rejects.toThrow(new RegExp(`^${message}$`));
  });

  it('times out when the server is silent', async () => {
    const { port } = await startRawServer(() => undefined);
    await expect(secureTo(port, 30)).rejects.toThrow('net/http: TLS handshake timeout');
  });

  it('fails with the reset when the connection is reset', async () => {
    const { port } = await startRawServer((socket) => socket.resetAndDestroy());
    await expect(secureTo(port)).rejects.toThrow('read: connection reset by peer');
  });
});

it('a connection that ends within a record fails with unexpected EOF', async () => {
  const port = await tlsServer({}, (socket) => socket.write('hello'));
  let client: Socket | undefined;
  const relay = await startRawServer((socket, hello) => {
    client = socket;
    const upstream = connect(port, '127.0.0.1');
    onTestFinished(() => void upstream.destroy());
    upstream.write(hello, 'latin1');
    socket.pipe(upstream).pipe(socket, { end: false });
  });
  const { conn } = await secureTo(relay.port);
  expect(await conn.read(Buffer.alloc(9))).toBe(5);
  client?.end('\x17\x03\x03', 'latin1');
  await expect(conn.read(Buffer.alloc(9))).rejects.toThrow('unexpected EOF');
});

it.each([
  [
    'asks for a renegotiation',
    '\x16\x03\x03\x00\x04\x00\x00\x00\x00',
    'local error: tls: no renegotiation',
  ],
  [
    'sends plain HTTP',
    'HTTP/1.1 200 OK\r\n\r\n',
    'http: server gave HTTP response to HTTPS client',
  ],
  ['sends a plain record', '\x17\x03\x03\x00\x02ok', 'local error: tls: bad record MAC'],
])('a server that %s after the handshake fails as in Go', async (_, bytes, message) => {
  let raw: Socket | undefined;
  const server = createServer({ ...certificate('selfSigned'), maxVersion: 'TLSv1.2' }, (secured) =>
    secured.once('data', () => raw?.write(bytes, 'latin1')),
  );
  server.on('connection', (socket: Socket) => {
    raw = socket.on('error', () => undefined);
  });
  server.on('tlsClientError', () => undefined);
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { conn } = await secureTo((server.address() as AddressInfo).port);
  conn.write('x');
  await expect(conn.read(Buffer.alloc(9))).rejects.toThrow(message);
});

it('a server that breaks TLS right after a flush fails the read, although Node has not noticed the end of the write', async () => {
  const clock = new RealClock();
  const attempt = new Attempt({ clock }, target, 10_000);
  onTestFinished(() => void attempt.end());
  const passTo = (peer: () => Duplex) =>
    new Duplex({
      read: () => undefined,
      write: (chunk: Buffer, _, done) => {
        // A flush is an empty write. TLS answers a plain record with an alert: a second write.
        if (chunk.length > 0) peer().push(chunk);
        else client.push(Buffer.from('\x17\x03\x03\x00\x02ok', 'latin1'));
        done();
      },
    });
  const client: Duplex = passTo(() => server);
  const server: Duplex = passTo(() => client);
  const secureContext = createSecureContext(certificate('selfSigned'));
  const secured = new TLSSocket(server, { isServer: true, secureContext });
  secured.on('error', () => undefined).write('hello');
  const raw = new Conn(clock, client, { local: 'a:1', remote: 'b:2' });
  const options = { serverName: 'b', protocols: [], handshakeTimeout: 5000 };
  const { conn } = await secure(attempt, raw, options);
  expect(await conn.read(Buffer.alloc(9))).toBe(5);
  conn.write('');
  await expect(conn.read(Buffer.alloc(9))).rejects.toThrow('local error: tls: bad record MAC');
});
