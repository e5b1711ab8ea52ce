import { localError, remoteError } from './tls-alert.js';

const RECORD_HEADER = 5;
const ALERT = 21;
const HANDSHAKE = 22;
const SERVER_HELLO = 2;
const MAX_CIPHERTEXT = 16384 + 2048;
const MAX_PLAINTEXT = 16384;
const MAX_HANDSHAKE = 65536;
const MAX_USELESS_RECORDS = 16;
const TLS12 = 0x0303;

/** Handshake messages that Go knows but does not expect first (crypto/tls/common.go). */
const MESSAGES: Readonly<Record<number, string>> = {
  0: 'helloRequestMsg',
  1: 'clientHelloMsg',
  4: 'newSessionTicketMsg',
  5: 'endOfEarlyDataMsg',
  8: 'encryptedExtensionsMsg',
  11: 'certificateMsg',
  12: 'serverKeyExchangeMsg',
  13: 'certificateRequestMsg',
  14: 'serverHelloDoneMsg',
  15: 'certificateVerifyMsg',
  16: 'clientKeyExchangeMsg',
  20: 'finishedMsg',
  22: 'certificateStatusMsg',
  24: 'keyUpdateMsg',
};

/**
 * Looks at what a server sends before OpenSSL does: up to the ServerHello Go and OpenSSL disagree on
 * what is wrong with it. Ports that part of readRecordOrCCS and readHandshake (crypto/tls/conn.go).
 */
export class TlsInspector {
  #pending: Buffer = Buffer.alloc(0);
  #sawHello = false;
  #useless = 0;
  /** Bytes of the current record that have not come. */
  #left = 0;

  /** Whether nothing of a record is missing. */
  get atBoundary(): boolean {
    return this.#left === 0 && this.#pending.length === 0;
  }

  /** The text of the error that these bytes are, if they are one. */
  inspect(chunk: Buffer): string | undefined {
    let bytes = chunk;
    if (this.#pending.length > 0) bytes = Buffer.concat([this.#pending, chunk]);
    this.#pending = Buffer.alloc(0);
    for (let at = 0; at < bytes.length;) {
      if (this.#left > 0) {
        const passed = Math.min(this.#left, bytes.length - at);
        this.#left -= passed;
        at += passed;
        continue;
      }
      const record = bytes.subarray(at);
      const size = recordSize(record);
      const problem = this.#sawHello ? undefined : headerProblem(record, size);
      if (problem !== undefined) return problem;
      const isWhole = record.length >= size;
      if (record.length < RECORD_HEADER || (!this.#sawHello && !isWhole)) {
        this.#pending = Buffer.from(record);
        return undefined;
      }
      if (this.#sawHello) {
        this.#left = size;
        continue;
      }
      const verdict = this.#firstRecord(record.subarray(0, size));
      if (verdict !== undefined) return verdict;
      at += size;
    }
    return undefined;
  }

  /** A record before the ServerHello, or with it. */
  #firstRecord(record: Buffer): string | undefined {
    const data = record.subarray(RECORD_HEADER);
    if (data.length > MAX_PLAINTEXT) return localError(22);
    if (record[0] === ALERT) return this.#alert(data);
    const [type = 0] = data;
    if (data.length === 0) return localError(10);
    if (data.length >= 4 && data.readUIntBE(1, 3) > MAX_HANDSHAKE) {
      return `tls: handshake message of length ${data.readUIntBE(1, 3)} bytes exceeds maximum of ${MAX_HANDSHAKE} bytes`;
    }
    if (type !== SERVER_HELLO) return unexpectedMessage(type, data);
    this.#sawHello = true;
    const version = data.length >= 6 ? data.readUInt16BE(4) : TLS12;
    if (version >= TLS12) return undefined;
    return `tls: server selected unsupported protocol version ${version.toString(16)}`;
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

function recordSize(record: Buffer): number {
  return record.length < RECORD_HEADER ? RECORD_HEADER : RECORD_HEADER + record.readUInt16BE(3);
}

function headerProblem(record: Buffer, size: number): string | undefined {
  if (record.length < RECORD_HEADER) return undefined;
  if (record[0] === 0x80) return 'tls: unsupported SSLv2 handshake received';
  const isTls = record[0] === ALERT || record[0] === HANDSHAKE;
  if (!isTls || record.readUInt16BE(1) >= 0x1000) {
    // Client.send turns the record header error into ErrSchemeMismatch (net/http/client.go).
    return record.toString('latin1', 0, RECORD_HEADER) === 'HTTP/'
      ? 'http: server gave HTTP response to HTTPS client'
      : 'tls: first record does not look like a TLS handshake';
  }
  const length = size - RECORD_HEADER;
  return length > MAX_CIPHERTEXT
    ? `tls: oversized record received with length ${length}`
    : undefined;
}

function unexpectedMessage(type: number, data: Buffer): string | undefined {
  const name = MESSAGES[type];
  if (name === undefined) return localError(10);
  // A message that does not parse is told so first; only the empty ones surely do.
  const isEmpty = data.length >= 4 && data.readUIntBE(1, 3) === 0;
  if (!isEmpty) return localError(50);
  return `tls: received unexpected handshake message of type *tls.${name} when waiting for *tls.serverHelloMsg`;
}
