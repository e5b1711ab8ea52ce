import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';

import { certificate } from '../helpers/servers/certificate.js';

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  /** Subject of the client's certificate. */
  readonly clientCertificate: string | undefined;
  readonly servername: string | undefined;
}

export interface FakeApiServer {
  readonly url: string;
  readonly port: number;
  readonly ca: string;
  readonly seen: readonly Seen[];
  close(): Promise<void>;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
type Upgrade = (request: IncomingMessage, socket: Duplex) => void;

/** Serves HTTPS on 127.0.0.1; without `onUpgrade`, an upgrade is answered as any request. */
export async function startApiServer(
  answer: Answer,
  onUpgrade?: Upgrade,
  port = 0,
): Promise<FakeApiServer> {
  const { cert, key } = certificate('selfSigned');
  const seen: Seen[] = [];
  const upgraded: Duplex[] = [];
  const options = { cert, key, requestCert: true, rejectUnauthorized: false };
  const note = (request: IncomingMessage): void => {
    const { method = '', url = '', headers } = request;
    seen.push({ method, url, headers, ...handshakeOf(request.socket) });
  };
  const server = createServer(options, (request, response) => {
    note(request);
    answer(request, response);
  });
  if (onUpgrade !== undefined) {
    server.on('upgrade', (request, socket) => {
      upgraded.push(socket);
      note(request);
      socket.on('error', () => undefined);
      onUpgrade(request, socket);
    });
  }
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${actual}`,
    port: actual,
    ca: cert,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        for (const socket of upgraded) socket.destroy();
      }),
  };
}

function handshakeOf(socket: object): Pick<Seen, 'clientCertificate' | 'servername'> {
  const tls = socket as Pick<TLSSocket, 'getPeerCertificate'> & { readonly servername?: string };
  const subject = tls.getPeerCertificate().subject as { readonly CN?: string } | undefined;
  return { clientCertificate: subject?.CN, servername: tls.servername };
}

/** Answers with JSON. */
export function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

/** A metav1.Status. */
export function statusOf(code: number, message: string, reason = ''): object {
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, message, reason };
}

/** The JSON of a pod, as short as can be. */
export function podOf(name: string, resourceVersion: number, uid = `uid-${name}`): object {
  return { metadata: { name, namespace: 'shop', uid, resourceVersion: String(resourceVersion) } };
}

/** A kubeconfig of one context, with this user, in a folder of its own. */
export function writeKubeconfig(
  server: Pick<FakeApiServer, 'url' | 'ca'>,
  user: object = { token: 'token-of-the-user' },
  cluster: object = {},
): { file: string; folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'kprobe-cluster-'));
  const file = join(folder, 'config');
  const ca = Buffer.from(server.ca).toString('base64');
  const config = {
    'current-context': 'test',
    contexts: [{ name: 'test', context: { cluster: 'c', user: 'u', namespace: 'shop' } }],
    clusters: [
      { name: 'c', cluster: { server: server.url, 'certificate-authority-data': ca, ...cluster } },
    ],
    users: [{ name: 'u', user }],
  };
  writeFileSync(file, JSON.stringify(config));
  return { file, folder, remove: () => rmSync(folder, { recursive: true }) };
}

/** The server's half of a WebSocket, for short messages. */
export class WebSocketPeer {
  readonly messages: Buffer[] = [];
  readonly closed: Promise<void>;
  #waiting: (() => void) | undefined;

  constructor(
    request: IncomingMessage,
    readonly socket: Duplex,
    protocol: string,
  ) {
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n` +
        `sec-websocket-accept: ${createHash('sha1').update(key).digest('base64')}\r\n` +
        `sec-websocket-protocol: ${protocol}\r\n\r\n`,
    );
    this.closed = new Promise((resolve) => socket.on('close', () => resolve()));
    socket.on('data', (frame: Buffer) => this.#read(frame));
  }

  send(channel: number, text: string | Buffer): void {
    const data = Buffer.concat([Buffer.of(channel), Buffer.from(text)]);
    const size = data.length < 126 ? [data.length] : [126, data.length >> 8, data.length & 255];
    this.socket.write(Buffer.concat([Buffer.from([0x82, ...size]), data]));
  }

  close(): void {
    this.socket.end(Buffer.from([0x88, 2, 0x03, 0xe8]));
  }

  /** Resolves with the next message, without its channel. */
  async next(): Promise<Buffer> {
    while (this.messages.length === 0) await new Promise<void>((done) => (this.#waiting = done));
    return this.messages.shift()!;
  }

  #read(frame: Buffer): void {
    if (frame.length < 6) return;
    if ((frame[0]! & 15) === 8) return void this.socket.end(Buffer.from([0x88, 0]));
    const size = frame[1]! & 127;
    const start = size === 126 ? 4 : 2;
    const length = size === 126 ? frame.readUInt16BE(2) : size;
    const mask = frame.subarray(start, start + 4);
    const data = frame
      .subarray(start + 4, start + 4 + length)
      .map((byte, i) => byte ^ mask[i % 4]!);
    this.messages.push(Buffer.from(data));
    this.#waiting?.();
    this.#read(frame.subarray(start + 4 + length));
  }
}
