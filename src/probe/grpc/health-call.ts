import type { ByteString } from '../../go/byte-string.js';
import { quote } from '../../go/quote.js';
import type { ReleaseBehavior } from '../../kubelet/release.js';
import type { H2Connection } from '../h2/connection.js';
import { errorName, type Fields, type StreamEnd } from '../h2/stream.js';
import { decompress } from './gzip.js';
import { operateHeaders, resetStatus, type Status, status } from './status.js';

/** defaultClientMaxReceiveMessageSize (clientconn.go). */
const MAX_RECEIVE_MESSAGE_SIZE = 4 << 20;
/** A flag and a length. */
const PREFIX_SIZE = 5;

/** The compressor that other packages of the kubelet register with grpc-go, and so the only one it reads. */
export const GZIP = 'gzip';

export type CallEnd =
  | { readonly kind: 'message'; readonly message: number }
  /** The server has not processed the call. */
  | { readonly kind: 'error'; readonly status: Status; readonly unprocessed: boolean };

/** Asks for the serving status of a service. Ports SendMsg and RecvMsg of a unary call (google.golang.org/grpc/stream.go). */
export async function healthCall(
  connection: H2Connection,
  fields: Fields,
  service: ByteString,
  behavior: ReleaseBehavior,
  onHeaders: () => void,
): Promise<CallEnd> {
  const max = connection.maxHeaderListSize;
  const size = fields.reduce((sum, [name, value]) => sum + name.length + value.length + 32, 0);
  if (size > max) {
    const message = `header list size to send violates the maximum size (${max} bytes) set by server`;
    return { kind: 'error', status: status('Internal', message), unprocessed: false };
  }
  const stream = connection.request(fields, encodeRequest(service));
  const messages = new MessageReader(behavior);
  let reader: MessageReader | ForeignReader | undefined;
  for (;;) {
    const event = await stream.next();
    let failed: Status | undefined;
    if (event.kind === 'headers' && reader instanceof ForeignReader) {
      if (event.endStream) return reader.end();
    } else if (event.kind === 'headers') {
      const isInitial = reader === undefined;
      const verdict = operateHeaders(event.fields, event.endStream, isInitial, behavior);
      onHeaders();
      if (verdict.kind === 'initial') {
        messages.encoding = verdict.encoding;
        reader = messages;
      }
      if (verdict.kind === 'foreign') reader = new ForeignReader(verdict.status);
      if (verdict.kind === 'broken') failed = verdict.status;
      if (verdict.kind === 'trailers') return (reader ?? messages).end(verdict.status);
    } else if (event.kind === 'data') {
      failed = (reader ?? messages).add(event.data);
    } else if (event.end.kind === 'complete') {
      const text = 'server closed the stream without sending trailers';
      return (reader ?? messages).end(status('Internal', text));
    } else {
      failed = endStatus(event.end, behavior);
    }
    if (failed === undefined) continue;
    await connection.settle();
    const refused = event.kind === 'end' && event.end.kind === 'reset' && event.end.code === 7;
    const drained = (connection.goAway?.lastStreamID ?? Infinity) < stream.id;
    return { kind: 'error', status: failed, unprocessed: refused || drained };
  }
}

/** Returns the status of a stream that ended without the server's trailers. */
function endStatus(
  end: Exclude<StreamEnd, { kind: 'complete' }>,
  { namesOnlyReadError }: ReleaseBehavior,
): Status {
  switch (end.kind) {
    case 'reset': {
      const name = errorName(end.code);
      return resetStatus(name, `stream terminated by RST_STREAM with error code: ${name}`);
    }
    case 'malformed':
      return status('Internal', 'received invalid frame');
    case 'goAway':
      return status('Unavailable', 'the connection is draining', 'closed');
    case 'lost': {
      const isShort = namesOnlyReadError && end.error.reason === 'reset';
      const text = isShort ? 'connection reset by peer' : end.error.message;
      const desc = `error reading from server: ${text}`;
      if (end.goAway === undefined) return status('Unavailable', desc, end.error.reason);
      const { code, debug } = end.goAway;
      const data = debug.length === 0 ? '' : `, debug data: ${quote(debug.toString('latin1'))}`;
      const closing = `closing transport due to: connection error: desc = ${quote(desc)}, received prior goaway: code: `;
      return status('Unavailable', `${closing}${errorName(code)}${data}`, end.error.reason);
    }
  }
}

/** Reads the only message of a response. Ports recvMsg (google.golang.org/grpc/rpc_util.go). */
class MessageReader {
  encoding: ByteString = '';
  /** Twice as large each time that it is full: a message may come in frames of one byte. */
  #buffer: Buffer = Buffer.alloc(1024);
  #size = 0;
  #message: number | undefined;

  constructor(private readonly behavior: ReleaseBehavior) {}

  /** Adds data of the response; returns the status of an error in it. */
  add(data: Buffer): Status | undefined {
    const size = this.#size + data.length;
    if (size > this.#buffer.length) this.#buffer = Buffer.concat([this.#buffer], 2 * size);
    data.copy(this.#buffer, this.#size);
    this.#size = size;
    while (this.#size >= PREFIX_SIZE) {
      const length = this.#buffer.readUInt32BE(1);
      if (length > MAX_RECEIVE_MESSAGE_SIZE) {
        const message = `grpc: received message larger than max (${length} vs. ${MAX_RECEIVE_MESSAGE_SIZE})`;
        return status('ResourceExhausted', message);
      }
      const end = PREFIX_SIZE + length;
      if (this.#size < end) return undefined;
      const format = this.#buffer[0] ?? 0;
      const problem = payloadProblem(format, this.encoding, this.behavior);
      if (problem !== undefined) return problem;
      const payload = this.#buffer.subarray(PREFIX_SIZE, end);
      const bytes = format === 0 ? payload : this.#decompress(payload);
      if (!Buffer.isBuffer(bytes)) return bytes;
      const message = decodeResponse(bytes);
      if (message === undefined) return status('Internal', UNMARSHAL);
      if (this.#message !== undefined) return this.#violation(SECOND_MESSAGE);
      this.#message = message;
      this.#buffer = this.#buffer.subarray(end);
      this.#size -= end;
    }
    return undefined;
  }

  end(trailer: Status): CallEnd {
    const failed = this.#failure(trailer);
    if (failed === undefined) return { kind: 'message', message: this.#message ?? 0 };
    return { kind: 'error', status: failed, unprocessed: false };
  }

  #failure(trailer: Status): Status | undefined {
    const { ignoresPartialMessage } = this.behavior;
    if (this.#size >= (ignoresPartialMessage ? PREFIX_SIZE : 1)) {
      return status('Internal', 'unexpected EOF');
    }
    if (trailer.code !== 0) return trailer;
    if (this.#message !== undefined) return undefined;
    return this.#violation(NO_MESSAGE);
  }

  #decompress(payload: Buffer): Buffer | Status {
    return decompress(payload, MAX_RECEIVE_MESSAGE_SIZE, this.behavior);
  }

  #violation({ now, before }: typeof SECOND_MESSAGE): Status {
    return this.behavior.namesCardinality ? now : before;
  }
}

/** Bytes that are quoted of a response of another protocol. */
const MAX_FOREIGN_SIZE = 1024;

/** Reads the body of a response of another protocol. Ports handleNonGRPCData (internal/transport/client_stream.go). */
class ForeignReader {
  #data: Buffer = Buffer.alloc(0);

  constructor(private readonly status: Status) {}

  add(data: Buffer): Status | undefined {
    this.#data = Buffer.concat([this.#data, data]).subarray(0, MAX_FOREIGN_SIZE);
    return this.#data.length < MAX_FOREIGN_SIZE ? undefined : this.#quoted();
  }

  end(): CallEnd {
    return { kind: 'error', status: this.#quoted(), unprocessed: false };
  }

  #quoted(): Status {
    const { message } = this.status;
    return { ...this.status, message: `${message}\ndata: ${quote(this.#data.toString('latin1'))}` };
  }
}

const UNMARSHAL =
  'grpc: failed to unmarshal the received message: proto: cannot parse invalid wire-format data';

const SECOND_MESSAGE = {
  now: status(
    'Internal',
    'cardinality violation: expected <EOF> for non server-streaming RPCs, but received another message',
  ),
  before: status('Unknown', 'grpc: client streaming protocol violation: get <nil>, want <EOF>'),
};

const NO_MESSAGE = {
  now: status(
    'Internal',
    'cardinality violation: received no response message from non-server-streaming RPC',
  ),
  before: { code: undefined, message: 'EOF' },
};

/** Ports checkRecvPayload (google.golang.org/grpc/rpc_util.go). */
function payloadProblem(
  format: number,
  encoding: ByteString,
  { ignoresPartialMessage }: ReleaseBehavior,
): Status | undefined {
  if (format === 0) return undefined;
  if (format !== 1) return status('Internal', `grpc: received unexpected payload format ${format}`);
  if (encoding === GZIP) return undefined;
  if (encoding === '' || encoding === 'identity') {
    return status('Internal', 'grpc: compressed flag set with identity or empty encoding');
  }
  const text = `grpc: Decompressor is not installed for grpc-encoding ${quote(encoding)}`;
  return status(ignoresPartialMessage ? 'Internal' : 'Unimplemented', text);
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

/** Groups within one another that protowire reads (DefaultRecursionLimit, and the first). */
const MAX_GROUPS = 10_001;

/** Returns the status of a HealthCheckResponse, or undefined when it does not parse. */
function decodeResponse(message: Buffer): number | undefined {
  let at = 0;
  /** The last varint modulo 2^32. */
  let low = 0;
  const varint = (): number => {
    low = 0;
    for (let i = 0, scale = 1, value = 0; i < 10; i++, scale *= 128) {
      const byte = message[at++] ?? 0xff;
      value += (byte & 0x7f) * scale;
      if (i < 5) low |= (byte & 0x7f) << (7 * i);
      if (byte < 0x80) return i === 9 && byte > 1 ? Infinity : value;
    }
    return Infinity;
  };
  let servingStatus = 0;
  /** The numbers of the groups that are open. */
  const groups: number[] = [];
  while (at < message.length) {
    const tag = varint();
    if (tag < 8 || tag >= 2 ** 32) return undefined;
    const type = tag % 8;
    if (type === 0) {
      if (varint() === Infinity) return undefined;
      if (tag === 8 && groups.length === 0) servingStatus = low;
    } else if (type === 2) {
      const length = varint();
      at += length;
    } else if (type === 3) {
      groups.push(tag >>> 3);
      if (groups.length > MAX_GROUPS) return undefined;
    } else if (type === 4) {
      if (groups.pop() !== tag >>> 3) return undefined;
    } else if (type === 1 || type === 5) at += type === 1 ? 8 : 4;
    else return undefined;
  }
  return at === message.length && groups.length === 0 ? servingStatus : undefined;
}
