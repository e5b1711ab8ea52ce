import type { ByteString } from '../../go/byte-string.js';
import { quote } from '../../go/quote.js';
import type { H2Connection } from '../h2/connection.js';
import { errorName, type Fields, type StreamEnd } from '../h2/stream.js';
import { operateHeaders, resetStatus, type Status, status } from './status.js';

/** defaultClientMaxReceiveMessageSize (clientconn.go). */
const MAX_RECEIVE_MESSAGE_SIZE = 4 << 20;
/** A flag and a length. */
const PREFIX_SIZE = 5;

export type CallEnd =
  | { readonly kind: 'message'; readonly message: number }
  /** The server has not processed the call. */
  | { readonly kind: 'error'; readonly status: Status; readonly unprocessed: boolean };

/** Asks for the serving status of a service. Ports SendMsg and RecvMsg of a unary call (google.golang.org/grpc/stream.go). */
export async function healthCall(
  connection: H2Connection,
  fields: Fields,
  service: ByteString,
  onHeaders: () => void,
): Promise<CallEnd> {
  const max = connection.maxHeaderListSize;
  const size = fields.reduce((sum, [name, value]) => sum + name.length + value.length + 32, 0);
  if (size > max) {
    const message = `header list size to send violates the maximum size (${max} bytes) set by server`;
    return { kind: 'error', status: status('Internal', message), unprocessed: false };
  }
  const stream = connection.request(fields, encodeRequest(service));
  const reader = new MessageReader();
  let encoding: ByteString | undefined;
  for (;;) {
    const event = await stream.next();
    let failed: Status | undefined;
    if (event.kind === 'headers') {
      const verdict = operateHeaders(event.fields, event.endStream, encoding === undefined);
      onHeaders();
      if (verdict.kind === 'initial') encoding = verdict.encoding;
      if (verdict.kind === 'broken') failed = verdict.status;
      if (verdict.kind === 'trailers') return reader.end(verdict.status);
    } else if (event.kind === 'data') {
      failed = reader.add(event.data, encoding ?? '');
    } else if (event.end.kind === 'complete') {
      return reader.end(status('Internal', 'server closed the stream without sending trailers'));
    } else {
      failed = endStatus(event.end);
    }
    if (failed === undefined) continue;
    await connection.settle();
    const refused = event.kind === 'end' && event.end.kind === 'reset' && event.end.code === 7;
    const drained = (connection.goAway?.lastStreamID ?? Infinity) < stream.id;
    return { kind: 'error', status: failed, unprocessed: refused || drained };
  }
}

/** Returns the status of a stream that ended without the server's trailers. */
function endStatus(end: Exclude<StreamEnd, { kind: 'complete' }>): Status {
  switch (end.kind) {
    case 'reset': {
      const name = errorName(end.code);
      return resetStatus(name, `stream terminated by RST_STREAM with error code: ${name}`);
    }
    case 'malformed':
      return status('Internal', 'received invalid frame');
    case 'goAway':
      return status('Unavailable', 'the connection is draining');
    case 'lost': {
      const desc = `error reading from server: ${end.error.message}`;
      if (end.goAway === undefined) return status('Unavailable', desc, end.error.reason);
      const { code, debug } = end.goAway;
      const data = debug.length === 0 ? '' : `, debug data: ${quote(debug.toString('latin1'))}`;
      const closing = `closing transport due to: connection error: desc = ${quote(desc)}, received prior goaway: code: `;
      return status('Unavailable', `${closing}${errorName(code)}${data}`);
    }
  }
}

/** Reads the only message of a response. Ports recvMsg (google.golang.org/grpc/rpc_util.go). */
class MessageReader {
  #data: Buffer = Buffer.alloc(0);
  #message: number | undefined;

  /** Adds data of the response; returns the status of an error in it. */
  add(data: Buffer, encoding: ByteString): Status | undefined {
    this.#data = Buffer.concat([this.#data, data]);
    while (this.#data.length >= PREFIX_SIZE) {
      const length = this.#data.readUInt32BE(1);
      if (length > MAX_RECEIVE_MESSAGE_SIZE) {
        const message = `grpc: received message larger than max (${length} vs. ${MAX_RECEIVE_MESSAGE_SIZE})`;
        return status('ResourceExhausted', message);
      }
      if (this.#data.length < PREFIX_SIZE + length) return undefined;
      const problem = payloadProblem(this.#data[0] ?? 0, encoding);
      if (problem !== undefined) return status('Internal', problem);
      const message = decodeResponse(this.#data.subarray(PREFIX_SIZE, PREFIX_SIZE + length));
      if (message === undefined) return status('Internal', UNMARSHAL);
      if (this.#message !== undefined)
        return violation(
          'expected <EOF> for non server-streaming RPCs, but received another message',
        );
      this.#message = message;
      this.#data = this.#data.subarray(PREFIX_SIZE + length);
    }
    return undefined;
  }

  end(trailer: Status): CallEnd {
    const failed = this.#failure(trailer);
    if (failed === undefined) return { kind: 'message', message: this.#message ?? 0 };
    return { kind: 'error', status: failed, unprocessed: false };
  }

  #failure(trailer: Status): Status | undefined {
    if (this.#data.length >= PREFIX_SIZE) return status('Internal', 'unexpected EOF');
    if (trailer.code !== 0) return trailer;
    if (this.#message !== undefined) return undefined;
    return violation('received no response message from non-server-streaming RPC');
  }
}

const UNMARSHAL =
  'grpc: failed to unmarshal the received message: proto: cannot parse invalid wire-format data';

function violation(cause: string): Status {
  return status('Internal', `cardinality violation: ${cause}`);
}

/** Ports checkRecvPayload (google.golang.org/grpc/rpc_util.go), without a compressor. */
function payloadProblem(format: number, encoding: ByteString): string | undefined {
  if (format === 0) return undefined;
  if (format !== 1) return `grpc: received unexpected payload format ${format}`;
  return encoding === '' || encoding === 'identity'
    ? 'grpc: compressed flag set with identity or empty encoding'
    : `grpc: Decompressor is not installed for grpc-encoding ${quote(encoding)}`;
}

/** A HealthCheckRequest with its prefix. */
function encodeRequest(service: ByteString): Buffer {
  const length: number[] = [];
  let rest = service.length;
  for (; rest >= 0x80; rest >>>= 7) length.push((rest & 0x7f) | 0x80);
  const tag = service === '' ? [] : [0x0a, ...length, rest];
  const prefix = Buffer.alloc(PREFIX_SIZE);
  prefix.writeUInt32BE(tag.length + service.length, 1);
  return Buffer.concat([prefix, Buffer.from(tag), Buffer.from(service, 'latin1')]);
}

/** Returns the status of a HealthCheckResponse, or undefined when it does not parse. */
function decodeResponse(message: Buffer): number | undefined {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let i = 0; i < 10; i++) {
      const byte = message[at++] ?? 0xff;
      value |= BigInt(byte & 0x7f) << BigInt(7 * i);
      if (byte < 0x80) return i === 9 && byte > 1 ? BAD_VARINT : value;
    }
    return BAD_VARINT;
  };
  let servingStatus = 0;
  while (at < message.length) {
    const tag = varint();
    const number = tag >> 3n;
    if (number < 1n || number >= 1n << 29n) return undefined;
    const type = Number(tag & 7n);
    if (type === 0) {
      const value = varint();
      if (value === BAD_VARINT) return undefined;
      if (number === 1n) servingStatus = Number(BigInt.asIntN(32, value));
    } else if (type === 2) {
      const length = Number(varint());
      at += length;
    } else if (type === 1 || type === 5) at += type === 1 ? 8 : 4;
    else return undefined;
  }
  return at === message.length ? servingStatus : undefined;
}

const BAD_VARINT = 1n << 70n;
