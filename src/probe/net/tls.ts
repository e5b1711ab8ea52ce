import { constants } from 'node:crypto';
import { isIP } from 'node:net';
import { Duplex } from 'node:stream';
import { connect, type TLSSocket } from 'node:tls';

import { nextTurn } from '../../clock/clock.js';
import { EOF_ERROR, UNEXPECTED_EOF_ERROR } from '../../go/http/bufio.js';
import { DEADLINE_EXCEEDED, IoError } from '../../go/io-error.js';
import { type Attempt, Deadline } from '../attempt.js';
import { Conn, type ConnLayer } from './conn.js';

/** The cipher suites that Go offers, in its order (crypto/tls/cipher_suites.go); also with keys and hashes that OpenSSL calls weak. */
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
  /** The protocols that ALPN offers. */
  readonly protocols: readonly string[];
  /** Milliseconds. */
  readonly handshakeTimeout: number;
}

export interface TlsConn {
  readonly conn: Conn;
  /** ALPN's choice; empty where there is none. */
  readonly protocol: string;
}

/** Does a client's handshake over a connection and accepts any certificate. Ports persistConn.addTLS (net/http/transport.go). */
export async function secure(
  attempt: Attempt,
  raw: Conn,
  { serverName, protocols, handshakeTimeout }: TlsOptions,
): Promise<TlsConn> {
  const wire = new TlsWire(raw, () => nextTurn(attempt.options.clock));
  const socket = connect({
    socket: wire.stream,
    rejectUnauthorized: false,
    checkServerIdentity: () => undefined,
    minVersion: 'TLSv1.2',
    ciphers: CIPHERS,
    // Go also talks to servers that do not know secure renegotiation, and never renegotiates.
    secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT | constants.SSL_OP_NO_RENEGOTIATION,
    ecdhCurve: 'X25519:P-256:P-384:P-521',
    ...(isIP(serverName) === 0 && serverName !== '' && { servername: serverName }),
    ...(protocols.length > 0 && { ALPNProtocols: [...protocols] }),
  });
  attempt.deadline.onEnd(() => socket.destroy());
  await handshake(attempt, socket, wire, handshakeTimeout);
  attempt.reached('tls');
  wire.endsAtHandshake = socket.getProtocol() === 'TLSv1.2';
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
    socket.once('close', () => fail(wire.failure ?? EOF_ERROR));
    wire.onFailure = fail;
    deadline.onEnd(() => fail(new IoError(DEADLINE_EXCEEDED, 'timeout')));
    limit.onEnd(() => fail(new IoError('net/http: TLS handshake timeout', 'timeout')));
  }).finally(() => {
    isOver = true;
    wire.onFailure = undefined;
    limit.end();
  });
}

const CHUNK = 16 * 1024;
const RECORD_HEADER = 5;
const ALERT = 21;
const HANDSHAKE = 22;
/** Bytes of the longest record. */
const MAX_CIPHERTEXT = 16_384 + 2048;

/** The bytes under TLS. Watched on their way, they show what OpenSSL's errors do not: a server without TLS, and where the connection ended. */
class TlsWire implements ConnLayer {
  readonly stream: Duplex;
  /** Set during the handshake. */
  onFailure: ((error: IoError) => void) | undefined;
  failure: IoError | undefined;
  /** Handshake messages of TLS 1.2 can then only ask for a renegotiation. */
  endsAtHandshake = false;
  /** Settles when Node has noticed the end of TLS's last write. Its JSStreamSocket fails an assertion when data that comes earlier than the end of a flush makes TLS write again. */
  #written: Promise<void> = Promise.resolve();
  /** The version in the first record's header. */
  #version: number | undefined;
  /** The header of a record, as far as it has arrived, and the bytes of the record that are missing. */
  #header: Buffer = Buffer.alloc(0);
  #left = 0;

  constructor(
    private readonly raw: Conn,
    turn: () => Promise<void>,
  ) {
    const noteWrite = (): void => {
      this.#written = turn().then(turn);
    };
    this.stream = new Duplex({
      read: () => void this.#pull(),
      write: (chunk: Buffer, _encoding, done) => {
        raw.write(chunk);
        noteWrite();
        done();
      },
      final: (done) => {
        noteWrite();
        done();
      },
      destroy: (error, done) => {
        raw.close();
        done(error);
      },
    });
  }

  errorOf(error: Error): IoError {
    if (this.failure) return this.failure;
    if (error instanceof IoError) return error;
    // Node's error for a close_notify during the handshake; a reset is an IoError.
    if ('code' in error && error.code === 'ECONNRESET') return EOF_ERROR;
    const alert = /SSL alert number (\d+)/.exec(error.message)?.[1];
    if (alert !== undefined) {
      return tlsError(`remote error: tls: ${ALERTS[Number(alert)] ?? `alert(${alert})`}`);
    }
    const reason = 'reason' in error ? String(error.reason) : error.message;
    if (reason !== 'unsupported protocol') return tlsError(REASONS[reason] ?? `tls: ${reason}`);
    const version = this.#version?.toString(16) ?? '';
    return tlsError(`tls: server selected unsupported protocol version ${version}`);
  }

  async #pull(): Promise<void> {
    try {
      const chunk = Buffer.allocUnsafe(CHUNK);
      const size = await this.raw.read(chunk);
      for (let last; last !== this.#written;) await (last = this.#written);
      if (size === 0) {
        this.#onEnd();
        return;
      }
      this.#follow(chunk.subarray(0, size));
      this.stream.push(chunk.subarray(0, size));
    } catch (error) {
      if (!(error instanceof IoError)) throw error;
      this.#fail(error);
    }
  }

  /** Follows records from header to header; throws when the first is not TLS. */
  #follow(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      const skipped = Math.min(this.#left, rest.length);
      this.#left -= skipped;
      const header = Buffer.concat([this.#header, rest.subarray(skipped)]);
      rest = header.subarray(RECORD_HEADER);
      const isWhole = header.length >= RECORD_HEADER;
      this.#header = isWhole ? Buffer.alloc(0) : header;
      if (!isWhole) return;
      this.#left = header.readUInt16BE(3);
      if (header.toString('latin1', 0, RECORD_HEADER) === 'HTTP/') throw PLAIN_HTTP;
      this.#version ??= firstVersion(header);
      if (this.#left > MAX_CIPHERTEXT) {
        throw tlsError(`tls: oversized record received with length ${this.#left}`);
      }
      if (this.endsAtHandshake && header[0] === HANDSHAKE) throw NO_RENEGOTIATION;
    }
  }

  /** An end without close_notify is accepted between two records after the handshake. */
  #onEnd(): void {
    if (this.#left > 0 || this.#header.length > 0) this.#fail(UNEXPECTED_EOF_ERROR);
    else if (this.onFailure) this.#fail(EOF_ERROR);
    else this.stream.push(null);
  }

  #fail(error: IoError): void {
    this.failure ??= error;
    this.onFailure?.(error);
    if (!this.stream.destroyed) this.stream.push(null);
  }
}

const PLAIN_HTTP = new IoError('http: server gave HTTP response to HTTPS client', 'plainHTTP');
const NO_RENEGOTIATION = new IoError('local error: tls: no renegotiation', 'tls');

/** Returns the version of the first record. Ports a part of Conn.readRecordOrCCS (crypto/tls/conn.go), and the text that Client.send gives it (net/http/client.go). */
function firstVersion(header: Buffer): number {
  const version = header.readUInt16BE(1);
  if ((header[0] === ALERT || header[0] === HANDSHAKE) && version < 0x1000) return version;
  throw tlsError('tls: first record does not look like a TLS handshake');
}

function tlsError(message: string): IoError {
  return new IoError(message, 'tls');
}

/** Go's texts for OpenSSL's reasons. */
const REASONS: Readonly<Record<string, string>> = {
  'decryption failed or bad record mac': 'local error: tls: bad record MAC',
  'cipher operation failed': 'local error: tls: bad record MAC',
  'invalid aad': 'local error: tls: bad record MAC',
  'unexpected message': 'local error: tls: unexpected message',
  'unexpected record': 'local error: tls: unexpected message',
  'bad record type': 'local error: tls: unexpected message',
  'ccs received early': 'local error: tls: unexpected message',
  'record too small': 'tls: too many ignored records',
  'too many warn alerts': 'tls: too many ignored records',
  'cert length mismatch': 'tls: failed to parse certificate from server: x509: trailing data',
  'unknown alert type': 'local error: tls: unexpected message',
  'invalid alert': 'local error: tls: unexpected message',
  'data length too long': 'local error: tls: record overflow',
  'length mismatch': 'local error: tls: error decoding message',
  'bad length': 'local error: tls: error decoding message',
  'bad extension': 'local error: tls: error decoding message',
  'unknown cipher returned': 'tls: server chose an unconfigured cipher suite',
  'wrong cipher returned': 'tls: server chose an unconfigured cipher suite',
  'unsupported compression algorithm': 'tls: server selected unsupported compression format',
  'invalid session id': 'tls: server did not echo the legacy session ID',
  'renegotiation mismatch': 'tls: initial handshake had non-empty renegotiation extension',
  'inappropriate fallback':
    'tls: downgrade attempt detected, possibly due to a MitM attack or a broken middlebox',
  'wrong curve': 'tls: server selected unoffered curve',
  'wrong signature type': 'tls: certificate used with invalid signature algorithm',
  'bad ecpoint': 'tls: invalid ServerKeyExchange message',
  'last octet invalid':
    'tls: invalid signature by the server certificate: crypto/rsa: verification error',
};

/** The texts of TLS alerts. Ports alertText (crypto/tls/alert.go). */
const ALERTS: Readonly<Record<number, string>> = {
  0: 'close notify',
  10: 'unexpected message',
  20: 'bad record MAC',
  21: 'decryption failed',
  22: 'record overflow',
  30: 'decompression failure',
  40: 'handshake failure',
  42: 'bad certificate',
  43: 'unsupported certificate',
  44: 'revoked certificate',
  45: 'expired certificate',
  46: 'unknown certificate',
  47: 'illegal parameter',
  48: 'unknown certificate authority',
  49: 'access denied',
  50: 'error decoding message',
  51: 'error decrypting message',
  60: 'export restriction',
  70: 'protocol version not supported',
  71: 'insufficient security level',
  80: 'internal error',
  86: 'inappropriate fallback',
  90: 'user canceled',
  100: 'no renegotiation',
  109: 'missing extension',
  110: 'unsupported extension',
  111: 'certificate unobtainable',
  112: 'unrecognized name',
  113: 'bad certificate status response',
  114: 'bad certificate hash value',
  115: 'unknown PSK identity',
  116: 'certificate required',
  120: 'no application protocol',
  121: 'encrypted client hello required',
};

/** Milliseconds that a handshake may take. */
const HANDSHAKE_LIMIT = 1000;

/** Resolves with true when a server completes a TLS handshake, whatever its certificate. */
export function speaksTls(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { host, port, ALPNProtocols: ['h2'], rejectUnauthorized: false };
    const socket = connect({ ...options, timeout: HANDSHAKE_LIMIT });
    const end = (is: boolean): void => {
      socket.destroy();
      resolve(is);
    };
    socket.once('secureConnect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}
