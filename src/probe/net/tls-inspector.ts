import { localError, remoteError } from './tls-alert.js';
import { chosenVersion, helloProblem, parseServerHello } from './tls-hello.js';
import { unexpectedMessage } from './tls-message.js';

const RECORD_HEADER = 5;
const MESSAGE_HEADER = 4;
const ALERT = 21;
const HANDSHAKE = 22;
const SERVER_HELLO = 2;
const MAX_PLAINTEXT = 16384;
const MAX_CIPHERTEXT = MAX_PLAINTEXT + 2048;
const MAX_CIPHERTEXT13 = MAX_PLAINTEXT + 256;
const MAX_HANDSHAKE = 65536;
const MAX_USELESS_RECORDS = 16;
const TLS12 = 0x0303;
const TLS13 = 0x0304;

/** What OpenSSL is given, or why it gets nothing more. */
export type Inspected =
  { readonly ok: true; readonly bytes: Buffer } | { readonly ok: false; readonly problem: string };

/**
 * Looks at what a server sends before OpenSSL does: up to the ServerHello Go and OpenSSL disagree on
 * what is wrong with it. Records are handed on when they are whole. Ports that part of
 * readRecordOrCCS and readHandshake (crypto/tls/conn.go).
 */
export class TlsInspector {
  readonly #offered: readonly string[];
  #pending: Buffer = Buffer.alloc(0);
  /** The first handshake message, as far as it has come. */
  #message: Buffer = Buffer.alloc(0);
  /** What the ServerHello chose. */
  #version: number | undefined;
  #useless = 0;

  /** `offered` is what ALPN offers. */
  constructor(offered: readonly string[]) {
    this.#offered = offered;
  }

  /** Whether nothing of a record is missing. */
  get atBoundary(): boolean {
    return this.#pending.length === 0;
  }

  inspect(chunk: Buffer): Inspected {
    const bytes = this.#pending.length > 0 ? Buffer.concat([this.#pending, chunk]) : chunk;
    const passed: Buffer[] = [];
    let at = 0;
    for (;;) {
      const record = bytes.subarray(at);
      if (record.length < RECORD_HEADER) break;
      const size = RECORD_HEADER + record.readUInt16BE(3);
      const problem = headerProblem(record, size - RECORD_HEADER, this.#version);
      if (problem !== undefined) return { ok: false, problem };
      if (record.length < size) break;
      const isEarly = this.#version === undefined;
      const verdict = isEarly ? this.#early(record.subarray(0, size)) : undefined;
      if (verdict !== undefined) return { ok: false, problem: verdict };
      // OpenSSL does not take as many warnings.
      if (!isEarly || record[0] !== ALERT) passed.push(record.subarray(0, size));
      at += size;
    }
    this.#pending = Buffer.from(bytes.subarray(at));
    return {
      ok: true,
      bytes: passed.length === 1 && passed[0] ? passed[0] : Buffer.concat(passed),
    };
  }

  /** A record before the ServerHello is whole. */
  #early(record: Buffer): string | undefined {
    const data = record.subarray(RECORD_HEADER);
    if (data.length > MAX_PLAINTEXT) return localError(22);
    if (record[0] === ALERT) return this.#alert(data);
    if (data.length === 0) return localError(10);
    this.#useless = 0;
    this.#message = Buffer.concat([this.#message, data]);
    if (this.#message.length < MESSAGE_HEADER) return undefined;
    const length = this.#message.readUIntBE(1, 3);
    if (length > MAX_HANDSHAKE) {
      return `tls: handshake message of length ${length} bytes exceeds maximum of ${MAX_HANDSHAKE} bytes`;
    }
    if (this.#message.length < MESSAGE_HEADER + length) return undefined;
    return this.#first(this.#message.subarray(MESSAGE_HEADER, MESSAGE_HEADER + length));
  }

  /** The first message. */
  #first(body: Buffer): string | undefined {
    const [type = 0] = this.#message;
    if (type !== SERVER_HELLO) return unexpectedMessage(type, body);
    const hello = parseServerHello(body);
    if (!hello) return localError(50);
    this.#version = chosenVersion(hello);
    this.#message = Buffer.alloc(0);
    return helloProblem(hello, this.#offered);
  }

  #alert(data: Buffer): string | undefined {
    const [level, alert = 0] = data;
    if (data.length !== 2) return localError(10);
    if (alert === 0) return 'EOF';
    if (level === 2) return remoteError(alert);
    if (level !== 1) return localError(10);
    this.#useless++;
    return this.#useless > MAX_USELESS_RECORDS ? 'tls: too many ignored records' : undefined;
  }
}

/** `chosen` is undefined before the ServerHello. */
function headerProblem(
  record: Buffer,
  length: number,
  chosen: number | undefined,
): string | undefined {
  const version = record.readUInt16BE(1);
  if (chosen === undefined) {
    const problem = firstHeaderProblem(record, version);
    if (problem !== undefined) return problem;
  } else if (version !== TLS12) {
    return `tls: received record with version ${version.toString(16)} when expecting version ${TLS12.toString(16)}`;
  }
  const limit = chosen === TLS13 ? MAX_CIPHERTEXT13 : MAX_CIPHERTEXT;
  return length > limit ? `tls: oversized record received with length ${length}` : undefined;
}

function firstHeaderProblem(record: Buffer, version: number): string | undefined {
  if (record[0] === 0x80) return 'tls: unsupported SSLv2 handshake received';
  const isTls = record[0] === ALERT || record[0] === HANDSHAKE;
  if (isTls && version < 0x1000) return undefined;
  // Client.send turns the record header error into ErrSchemeMismatch (net/http/client.go).
  return record.toString('latin1', 0, RECORD_HEADER) === 'HTTP/'
    ? 'http: server gave HTTP response to HTTPS client'
    : 'tls: first record does not look like a TLS handshake';
}
