import type { ByteString } from '../../go/byte-string.js';
import { quote } from '../../go/quote.js';
import { encodeFrame, FLAGS, type Frame } from '../h2/frame.js';
import { fieldSize } from '../h2/hpack-decoder.js';
import { encodeHeaderBlock } from '../h2/hpack-encode.js';
import type { GrpcConnection, StreamEnd, StreamHandler } from './connection.js';
import { operateHeaders } from './response-headers.js';
import { hasCode, type Status, status } from './status.js';

/** defaultClientMaxReceiveMessageSize (clientconn.go). */
const MAX_RECEIVE_MESSAGE_SIZE = 4 << 20;
const MESSAGE_HEADER_SIZE = 5;

export type CallEnd<T> =
  | { readonly kind: 'message'; readonly message: T }
  | { readonly kind: 'error'; readonly status: Status; readonly unprocessed: boolean };

export interface UnaryRequest<T> {
  readonly fields: readonly (readonly [name: ByteString, value: ByteString])[];
  readonly message: Buffer;
  /** Undefined when the message does not parse. */
  readonly decode: (message: Buffer) => T | undefined;
}

/** Makes one call on a connection. Ports recvMsg of csAttempt (google.golang.org/grpc/stream.go). */
export async function unaryCall<T>(
  connection: GrpcConnection,
  request: UnaryRequest<T>,
  onFirstByte: () => void,
): Promise<CallEnd<T>> {
  while (connection.maxStreams === 0 && !connection.isDraining) await connection.step();
  const tooLarge = headerListProblem(connection, request);
  if (tooLarge) return { kind: 'error', status: tooLarge, unprocessed: false };
  const stream = new UnaryStream(connection);
  stream.send(request);
  await stream.awaitHeaders();
  onFirstByte();
  const first = await receive(stream, request.decode);
  if (first.kind === 'status') return ended(stream, first.status);
  if (first.kind === 'EOF') {
    const end = stream.end?.status ?? status('Unknown', '');
    if (!hasCode(end, 'OK')) return ended(stream, end);
    const why = 'received no response message from non-server-streaming RPC';
    return ended(stream, status('Internal', `cardinality violation: ${why}`));
  }
  const second = await receive(stream, request.decode);
  if (second.kind === 'status') return ended(stream, second.status);
  if (second.kind === 'message') {
    const why = 'expected <EOF> for non server-streaming RPCs, but received another message';
    return ended(stream, status('Internal', `cardinality violation: ${why}`));
  }
  const end = stream.end?.status ?? status('Unknown', '');
  return hasCode(end, 'OK') ? { kind: 'message', message: first.message } : ended(stream, end);
}

function ended<T>({ end }: UnaryStream, of: Status): CallEnd<T> {
  return { kind: 'error', status: of, unprocessed: end?.unprocessed ?? false };
}

/** Ports checkForHeaderListSize (internal/transport/http2_client.go). */
function headerListProblem<T>(
  { maxHeaderListSize = Infinity }: GrpcConnection,
  { fields }: UnaryRequest<T>,
): Status | undefined {
  const size = fields.reduce((sum, [name, value]) => sum + fieldSize({ name, value }), 0);
  if (size <= maxHeaderListSize) return undefined;
  return status(
    'Internal',
    `header list size to send violates the maximum size (${maxHeaderListSize} bytes) set by server`,
  );
}

type Received<T> =
  | { readonly kind: 'EOF' }
  | { readonly kind: 'status'; readonly status: Status }
  | { readonly kind: 'message'; readonly message: T };

/** Ports recv and parser.recvMsg (google.golang.org/grpc/rpc_util.go). */
async function receive<T>(
  stream: UnaryStream,
  decode: (message: Buffer) => T | undefined,
): Promise<Received<T>> {
  const failed = (why: string): Received<T> => ({
    kind: 'status',
    status: status('Internal', why),
  });
  const header = await stream.read(MESSAGE_HEADER_SIZE);
  if (header === 'EOF') return { kind: 'EOF' };
  if (!Buffer.isBuffer(header)) return { kind: 'status', status: header };
  const length = header.readUInt32BE(1);
  if (length > MAX_RECEIVE_MESSAGE_SIZE) {
    const why = `grpc: received message larger than max (${length} vs. ${MAX_RECEIVE_MESSAGE_SIZE})`;
    return { kind: 'status', status: status('ResourceExhausted', why) };
  }
  const data = await stream.read(length);
  if (data === 'EOF') return failed('unexpected EOF');
  if (!Buffer.isBuffer(data)) return { kind: 'status', status: data };
  const problem = payloadProblem(header[0] ?? 0, stream.encoding);
  if (problem !== undefined) return failed(problem);
  const message = decode(data);
  if (message !== undefined) return { kind: 'message', message };
  return failed(
    'grpc: failed to unmarshal the received message: proto: cannot parse invalid wire-format data',
  );
}

/** Ports checkRecvPayload (google.golang.org/grpc/rpc_util.go), without a compressor. */
function payloadProblem(format: number, encoding: ByteString): string | undefined {
  if (format === 0) return undefined;
  if (format !== 1) return `grpc: received unexpected payload format ${format}`;
  return encoding === '' || encoding === 'identity'
    ? 'grpc: compressed flag set with identity or empty encoding'
    : `grpc: Decompressor is not installed for grpc-encoding ${quote(encoding)}`;
}

/** The stream of one call. */
class UnaryStream implements StreamHandler {
  readonly id: number;
  encoding: ByteString = '';
  end: StreamEnd | undefined;
  readonly #connection: GrpcConnection;
  #sawHeaders = false;
  #data: Buffer = Buffer.alloc(0);

  constructor(connection: GrpcConnection) {
    this.#connection = connection;
    this.id = connection.nextStreamID;
    connection.nextStreamID += 2;
    connection.stream = this;
  }

  send<T>({ fields, message }: UnaryRequest<T>): void {
    const block = encodeHeaderBlock(fields);
    this.#connection.write(encodeFrame('headers', FLAGS.endHeaders, this.id, block));
    const prefix = Buffer.alloc(MESSAGE_HEADER_SIZE);
    prefix.writeUInt32BE(message.length, 1);
    this.#connection.window.send(this.id, Buffer.concat([prefix, message]));
  }

  async awaitHeaders(): Promise<void> {
    while (!this.#sawHeaders && !this.end) await this.#connection.step();
  }

  /** So many bytes, or how the stream ended before. */
  async read(size: number): Promise<Buffer | StreamEnd['read']> {
    while (this.#data.length < size && !this.end) await this.#connection.step();
    if (this.#data.length < size) {
      this.#data = Buffer.alloc(0);
      return this.end?.read ?? 'EOF';
    }
    const read = this.#data.subarray(0, size);
    this.#data = this.#data.subarray(size);
    return read;
  }

  onHeaders({ fields, truncated, endStream }: Frame & { kind: 'headers' }): void {
    if (this.end) return;
    if (this.#sawHeaders && !endStream) {
      return this.#breakOff(
        status('Internal', 'a HEADERS frame cannot appear in the middle of a stream'),
      );
    }
    if (truncated)
      return this.#breakOff(status('Internal', 'peer header list size exceeded limit'));
    const verdict = operateHeaders(fields, endStream, !this.#sawHeaders);
    switch (verdict.kind) {
      case 'ignored':
        return;
      case 'initial':
        this.#sawHeaders = true;
        this.encoding = verdict.encoding;
        return;
      case 'trailers':
        return this.onEnd({ read: 'EOF', status: verdict.status, unprocessed: false });
      case 'broken':
        return this.#breakOff(verdict.status);
    }
  }

  onData({ data }: Frame & { kind: 'data' }): void {
    if (!this.end) this.#data = Buffer.concat([this.#data, data]);
  }

  onEnd(end: StreamEnd): void {
    this.end ??= end;
  }

  #breakOff(of: Status): void {
    this.onEnd({ read: of, status: of, unprocessed: false });
  }
}
