import type { ByteString } from '../../go/byte-string.js';
import { quote } from '../../go/quote.js';
import type { Attempt } from '../attempt.js';
import { IoError } from '../io-error.js';
import { GrpcConnection } from './connection.js';
import { decodeHealthResponse, encodeHealthRequest } from './health-message.js';
import { status } from './status.js';
import { type CallEnd, unaryCall } from './unary-call.js';

/** The grpc-go of Kubernetes v1.36. */
const GRPC_GO = 'grpc-go/1.79.3';

export interface HealthCheck {
  readonly address: ByteString;
  readonly service: ByteString;
  readonly userAgent: string;
}

/** Asks for a service's health, once more where the server has not looked at the call. Ports withRetry (google.golang.org/grpc/stream.go). */
export async function checkHealth(
  attempt: Attempt,
  first: GrpcConnection,
  check: HealthCheck,
): Promise<CallEnd<number>> {
  let connection = first;
  for (let tries = 1; ; tries++) {
    const end = await call(attempt, connection, check);
    if (end.kind === 'message' || !end.unprocessed || tries > 1) return end;
    if (attempt.deadline.expired) return end;
    if (!connection.isDraining) continue;
    connection.close();
    const next = await reconnect(attempt, check);
    if (!(next instanceof GrpcConnection)) return next;
    connection = next;
  }
}

function call(
  attempt: Attempt,
  connection: GrpcConnection,
  check: HealthCheck,
): Promise<CallEnd<number>> {
  const fields = callFields(attempt, check);
  const message = encodeHealthRequest(check.service);
  const shown = fields.map(([name, value]) => `${name}: ${value}\n`).join('');
  attempt.requests.push(`${shown}\n`);
  const request = { fields, message, decode: decodeHealthResponse };
  return unaryCall(connection, request, () => attempt.reached('firstByte'));
}

/** A call does not wait for a connection that fails. */
async function reconnect(
  attempt: Attempt,
  { address }: HealthCheck,
): Promise<GrpcConnection | CallEnd<number>> {
  try {
    return await GrpcConnection.open(attempt, address);
  } catch (error) {
    if (!(error instanceof IoError)) throw error;
    const why = `connection error: desc = ${quote(error.message)}`;
    return { kind: 'error', status: status('Unavailable', why), unprocessed: false };
  }
}

/** Ports createHeaderFields (internal/transport/http2_client.go). */
function callFields(
  attempt: Attempt,
  { address, userAgent }: HealthCheck,
): (readonly [ByteString, ByteString])[] {
  const authority = address.startsWith(':') ? `localhost${address}` : address;
  return [
    [':method', 'POST'],
    [':scheme', 'http'],
    [':path', '/grpc.health.v1.Health/Check'],
    [':authority', encodeAuthority(authority)],
    ['content-type', 'application/grpc'],
    ['user-agent', `${userAgent} ${GRPC_GO}`],
    ['te', 'trailers'],
    ['grpc-timeout', encodeTimeout(attempt.deadline.left)],
  ];
}

/** Ports encodeAuthority (google.golang.org/grpc/clientconn.go). */
function encodeAuthority(authority: ByteString): ByteString {
  return authority.replace(
    /[^A-Za-z0-9\-_.~!$&'()*+,;=:[\]@]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

const MAX_TIMEOUT_VALUE = 99_999_999;

/** Ports EncodeDuration (internal/grpcutil/encode_duration.go). */
function encodeTimeout(milliseconds: number): string {
  if (milliseconds <= 0) return '0n';
  const units = [
    ['n', 1e-6],
    ['u', 1e-3],
    ['m', 1],
    ['S', 1000],
    ['M', 60_000],
  ] as const;
  for (const [unit, size] of units) {
    const count = Math.ceil(milliseconds / size);
    if (count <= MAX_TIMEOUT_VALUE) return `${count}${unit}`;
  }
  return `${Math.ceil(milliseconds / 3_600_000)}H`;
}
