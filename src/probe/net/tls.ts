import { constants } from 'node:crypto';
import { isIP } from 'node:net';
import { Duplex } from 'node:stream';
import { connect, type TLSSocket } from 'node:tls';

import type { Attempt } from '../attempt.js';
import { Deadline } from '../deadline.js';
import { DEADLINE_EXCEEDED, IoError } from '../io-error.js';
import { Conn, type ConnLayer } from './conn.js';
import { remoteError } from './tls-alert.js';
import { TlsInspector } from './tls-inspector.js';

const CHUNK = 16 * 1024;

/** What Go offers, in its order (crypto/tls/cipher_suites.go); also keys and hashes that OpenSSL calls weak. */
const CIPHERS = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
  'ECDHE-ECDSA-AES128-SHA',
  'ECDHE-RSA-AES128-SHA',
  'ECDHE-ECDSA-AES256-SHA',
  'ECDHE-RSA-AES256-SHA',
  '@SECLEVEL=0',
].join(':');

export interface TlsOptions {
  readonly serverName: string;
  /** What ALPN offers. */
  readonly protocols: readonly string[];
  /** Milliseconds. */
  readonly handshakeTimeout: number;
}

export interface TlsConn {
  readonly conn: Conn;
  /** What ALPN chose: empty when nothing. */
  readonly protocol: string;
}

/** Does a client's handshake over a connection; any certificate will do. Ports persistConn.addTLS (net/http/transport.go). */
export async function secure(
  attempt: Attempt,
  raw: Conn,
  { serverName, protocols, handshakeTimeout }: TlsOptions,
): Promise<TlsConn> {
  const wire = new TlsWire(raw, protocols);
  const socket = connect({
    socket: wire.stream,
    rejectUnauthorized: false,
    checkServerIdentity: () => undefined,
    minVersion: 'TLSv1.2',
    ciphers: CIPHERS,
    // Go also talks to servers that never heard of secure renegotiation.
    secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
    ecdhCurve: 'X25519:P-256:P-384:P-521',
    ...(isIP(serverName) === 0 && serverName !== '' ? { servername: serverName } : {}),
    ...(protocols.length > 0 ? { ALPNProtocols: [...protocols] } : {}),
  });
  attempt.deadline.onEnd(() => socket.destroy());
  await handshake(attempt, socket, wire, handshakeTimeout);
  attempt.reached('tls');
  const conn = new Conn(attempt.options.clock, socket, raw.addresses, wire);
  attempt.deadline.onEnd(() => conn.close());
  return { conn, protocol: socket.alpnProtocol || '' };
}

function handshake(
  { options, deadline }: Attempt,
  socket: TLSSocket,
  wire: TlsWire,
  timeout: number,
): Promise<void> {
  const limit = new Deadline(options.clock, timeout);
  let isOver = false;
  return new Promise<void>((resolve, reject) => {
    const fail = (error: IoError): void => {
      if (isOver) return;
      socket.destroy();
      reject(error);
    };
    socket.once('secureConnect', resolve);
    socket.on('error', (error: Error) => fail(wire.errorOf(error)));
    socket.once('close', () => fail(wire.failure ?? new IoError('EOF')));
    wire.onFailure = fail;
    deadline.onEnd(() => fail(new IoError(DEADLINE_EXCEEDED)));
    limit.onEnd(() => fail(new IoError('net/http: TLS handshake timeout')));
  }).finally(() => {
    isOver = true;
    wire.onFailure = undefined;
    limit.end();
  });
}

/** The bytes under TLS, looked at on their way. */
class TlsWire implements ConnLayer {
  readonly stream: Duplex;
  onFailure: ((error: IoError) => void) | undefined;
  /** Why no more will come, when it is not a clean end. */
  failure: IoError | undefined;
  readonly #raw: Conn;
  readonly #inspector: TlsInspector;
  #reading = false;

  constructor(raw: Conn, offered: readonly string[]) {
    this.#raw = raw;
    this.#inspector = new TlsInspector(offered);
    this.stream = new Duplex({
      read: () => void this.#pull(),
      write: (chunk: Buffer, _encoding, done) => {
        raw.write(chunk);
        done();
      },
      destroy: (error, done) => {
        raw.close();
        done(error);
      },
    });
  }

  /** What went wrong, in Go's words. */
  errorOf(error: Error): IoError {
    if (this.failure) return this.failure;
    if (error instanceof IoError) return error;
    const alert = /SSL alert number (\d+)/.exec(error.message)?.[1];
    if (alert !== undefined) return new IoError(remoteError(Number(alert)));
    const reason = 'reason' in error ? String(error.reason) : error.message;
    return new IoError(REASONS[reason] ?? `tls: ${reason}`);
  }

  async #pull(): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    try {
      const chunk = Buffer.allocUnsafe(CHUNK);
      const size = await this.#raw.read(chunk);
      this.#reading = false;
      this.#take(chunk.subarray(0, size));
    } catch (error) {
      this.#reading = false;
      if (!(error instanceof IoError)) throw error;
      this.#fail(error);
    }
  }

  #take(chunk: Buffer): void {
    if (chunk.length === 0) return this.#takeEnd();
    const inspected = this.#inspector.inspect(chunk);
    if (!inspected.ok) this.#fail(new IoError(inspected.problem));
    else if (inspected.bytes.length > 0) this.stream.push(inspected.bytes);
    else void this.#pull();
  }

  /** An end without close_notify is accepted between two records, and after the handshake. */
  #takeEnd(): void {
    if (!this.#inspector.atBoundary) this.#fail(new IoError('unexpected EOF'));
    else if (this.onFailure) this.#fail(new IoError('EOF'));
    else this.stream.push(null);
  }

  #fail(error: IoError): void {
    this.failure ??= error;
    this.onFailure?.(error);
    if (!this.stream.destroyed) this.stream.push(null);
  }
}

/** OpenSSL's words for what Go says otherwise. */
const REASONS: Readonly<Record<string, string>> = {
  'decryption failed or bad record mac': 'local error: tls: bad record MAC',
};
