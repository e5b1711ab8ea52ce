import type { ByteString } from '../../go/byte-string.js';
import { quote } from '../../go/quote.js';
import { fieldSize } from '../h2/hpack-decoder.js';
import type { GrpcConnection } from './connection.js';
import { hasCode, type Status, status } from './status.js';
import { MESSAGE_HEADER_SIZE, UnaryStream } from './unary-stream.js';

/** defaultClientMaxReceiveMessageSize (clientconn.go). */
const MAX_RECEIVE_MESSAGE_SIZE = 4 << 20;

interface Message<T> {
  readonly kind: 'message';
  readonly message: T;
}

interface Failure {
  readonly kind: 'error';
  readonly status: Status;
}

type MessageOrError<T> = Message<T> | Failure;

/** The server has not looked at what is unprocessed. */
export type CallEnd<T> = Message<T> | (Failure & { readonly unprocessed: boolean });

export interface UnaryRequest<T> {
  readonly fields: readonly (readonly [name: ByteString, value: ByteString])[];
  readonly message: Buffer;
  /** Undefined when the message does not parse. */
  readonly decode: (message: Buffer) => T | undefined;
}

/** Makes one call on a connection. */
export async function unaryCall<T>(
  connection: GrpcConnection,
  request: UnaryRequest<T>,
  onFirstByte: () => void,
): Promise<CallEnd<T>> {
  while (connection.maxStreams === 0 && !connection.isDraining) await connection.step();
  const tooLarge = headerListProblem(connection, request);
  if (tooLarge) return { kind: 'error', status: tooLarge, unprocessed: false };
  const stream = new UnaryStream(connection);
  stream.send(request.fields, request.message);
  await stream.awaitHeaders();
  onFirstByte();
  const received = await receiveOnly(stream, request.decode);
  if (received.kind === 'message') return received;
  await connection.settle();
  return { ...received, unprocessed: stream.end?.unprocessed ?? false };
}

/** The only message of a call, or why there is none. Ports recvMsg of csAttempt (google.golang.org/grpc/stream.go). */
async function receiveOnly<T>(
  stream: UnaryStream,
  decode: (message: Buffer) => T | undefined,
): Promise<MessageOrError<T>> {
  const first = await receive(stream, decode);
  if (first.kind === 'error') return first;
  if (first.kind === 'EOF') {
    const why = 'received no response message from non-server-streaming RPC';
    return endOf(stream) ?? violation(why);
  }
  const second = await receive(stream, decode);
  if (second.kind === 'EOF') return endOf(stream) ?? first;
  if (second.kind === 'error') return second;
  return violation('expected <EOF> for non server-streaming RPCs, but received another message');
}

/** Undefined when the server says that all is well. */
function endOf({ end }: UnaryStream): Failure | undefined {
  const told = end?.status ?? status('Unknown', '');
  return hasCode(told, 'OK') ? undefined : { kind: 'error', status: told };
}

function violation(why: string): Failure {
  return { kind: 'error', status: status('Internal', `cardinality violation: ${why}`) };
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

type Received<T> = MessageOrError<T> | { readonly kind: 'EOF' };

/** Ports recv and parser.recvMsg (google.golang.org/grpc/rpc_util.go). */
async function receive<T>(
  stream: UnaryStream,
  decode: (message: Buffer) => T | undefined,
): Promise<Received<T>> {
  const failed = (why: string): Received<T> => ({
    kind: 'error',
    status: status('Internal', why),
  });
  const header = await stream.read(MESSAGE_HEADER_SIZE);
  if (header === 'EOF') return { kind: 'EOF' };
  if (!Buffer.isBuffer(header)) return { kind: 'error', status: header };
  const length = header.readUInt32BE(1);
  if (length > MAX_RECEIVE_MESSAGE_SIZE) {
    const why = `grpc: received message larger than max (${length} vs. ${MAX_RECEIVE_MESSAGE_SIZE})`;
    return { kind: 'error', status: status('ResourceExhausted', why) };
  }
  const data = await stream.read(length);
  if (data === 'EOF') return failed('unexpected EOF');
  if (!Buffer.isBuffer(data)) return { kind: 'error', status: data };
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
