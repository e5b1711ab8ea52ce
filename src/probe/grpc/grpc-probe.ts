import { joinHostPort } from '../../go/addr.js';
import { type ByteString, outputOf, toByteString } from '../../go/byte-string.js';
import { formatDuration } from '../../go/duration.js';
import { DEADLINE_EXCEEDED, IoError } from '../../go/io-error.js';
import { quote } from '../../go/quote.js';
import { parseUrl } from '../../go/url-parse.js';
import type { FailureReason, ProbeOutcome, ProbeTarget } from '../../kubelet/ports.js';
import {
  behaviorOf,
  DEFAULT_RELEASE,
  GRPC_GO,
  minorVersion,
  nearestRelease,
} from '../../kubelet/release.js';
import { Attempt, shortened, type TransportOptions } from '../attempt.js';
import { H2Connection } from '../h2/connection.js';
import type { Fields } from '../h2/stream.js';
import type { Conn } from '../net/conn.js';
import { openConn } from '../net/dial.js';
import { type CallEnd, GZIP, healthCall } from './health-call.js';
import { codeName, type Status, statusText } from './status.js';

/** defaultClientMaxHeaderListSize (internal/transport/defaults.go). */
const SETTINGS = { enablePush: false, maxHeaderListSize: 16 << 20 };
/** Milliseconds between attempts to connect (google.golang.org/grpc/backoff/backoff.go). */
const BACKOFF = { base: 1000, multiplier: 1.6, jitter: 0.2, max: 120_000 };
/** HealthCheckResponse.ServingStatus (grpc_health_v1); a value without a name is shown as a number. */
const SERVING_STATUSES = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'];
const REASONS: readonly (FailureReason | undefined)[] = [
  undefined,
  undefined,
  'notServing',
  'unknownService',
];
const HEALTHY = 'service healthy';

interface HealthCheck {
  readonly host: string;
  readonly address: ByteString;
  readonly service: ByteString;
  readonly useTLS: boolean;
}

/** Makes one attempt of a grpc probe. Ports grpcProber.Probe (pkg/probe/grpc/grpc.go). */
export async function grpcProbe(
  options: TransportOptions,
  target: ProbeTarget,
  host: string,
  port: number,
  service: string,
  timeoutSeconds: number,
  useTLS = false,
): Promise<ProbeOutcome> {
  const attempt = new Attempt(options, target, timeoutSeconds * 1000);
  const timeout = formatDuration(timeoutSeconds * 1000);
  const check = {
    host,
    useTLS,
    address: joinHostPort(toByteString(host), port),
    service: toByteString(service),
  };
  try {
    const { output, reason } = await probe(attempt, check, timeout);
    const result = output === HEALTHY ? 'success' : 'failure';
    return { result, ...outputOf(shortened(output)), reason, detail: attempt.end() };
  } finally {
    attempt.deadline.end();
  }
}

interface Answer {
  readonly output: ByteString;
  readonly reason?: FailureReason | undefined;
}

async function probe(attempt: Attempt, check: HealthCheck, timeout: string): Promise<Answer> {
  const { address } = check;
  const target = parseUrl(`passthrough:///${address}`);
  if (!target.ok) {
    return { output: `error: failed to connect service at ${quote(address)}: ${target.error}` };
  }
  let connection: H2Connection;
  try {
    connection = await connectBlocking(attempt, check);
  } catch (error) {
    if (!(error instanceof IoError)) throw error;
    const output = `timeout: failed to connect service ${quote(address)} within ${timeout}: context deadline exceeded`;
    return { output, reason: error.reason === 'timeout' ? 'timeout' : 'notConnected' };
  }
  const end = await checkHealth(attempt, connection, check);
  attempt.responses.push(
    end.kind === 'message' ? servingStatus(end.message) : statusText(end.status),
  );
  if (end.kind === 'error') return errorAnswer(attempt, end.status, timeout);
  const name = servingStatus(end.message);
  if (name === 'SERVING') return { output: HEALTHY };
  return { output: `service unhealthy (responded with "${name}")`, reason: REASONS[end.message] };
}

function servingStatus(status: number): string {
  return SERVING_STATUSES[status] ?? String(status);
}

function errorAnswer({ deadline }: Attempt, status: Status, timeout: string): Answer {
  const code = status.code === undefined ? '' : codeName(status.code);
  if (deadline.expired || code === 'DeadlineExceeded') {
    return { output: `timeout: health rpc did not complete within ${timeout}`, reason: 'timeout' };
  }
  if (code === 'Unimplemented') {
    const output = `error: this server does not implement the grpc health protocol (grpc.health.v1.Health): ${status.message}`;
    return { output, reason: 'unimplemented' };
  }
  const reason = code === 'NotFound' ? 'unknownService' : status.reason;
  return { output: `error: health rpc probe failed: ${statusText(status)}`, reason };
}

/** Connects, and repeats this until it works; rejects at the timeout. Ports DialContext with WithBlock (clientconn.go). */
async function connectBlocking(attempt: Attempt, check: HealthCheck): Promise<H2Connection> {
  for (let retries = 0; ; retries++) {
    try {
      return await connect(attempt, check);
    } catch (error) {
      if (!(error instanceof IoError) || attempt.deadline.expired) throw error;
      await pause(attempt, backoff(retries, attempt.options.clock.random()));
    }
  }
}

/** Connects and waits for the server's settings; once more, at once, where the server does not want this connection. */
async function connect(attempt: Attempt, check: HealthCheck): Promise<H2Connection> {
  for (;;) {
    const connection = new H2Connection(attempt, await openTransport(attempt, check), SETTINGS);
    try {
      await connection.ready;
    } catch (error) {
      connection.close();
      const isSilent = attempt.deadline.expired && !connection.hasReceived;
      throw isSilent ? new IoError(DEADLINE_EXCEEDED, 'timeout') : error;
    }
    await connection.settle();
    if (connection.goAway === undefined) return connection;
    connection.close();
  }
}

/** Ports ClientHandshake (google.golang.org/grpc/credentials/tls.go), which accepts any certificate here and insists on h2. */
async function openTransport(
  attempt: Attempt,
  { address, host, useTLS }: HealthCheck,
): Promise<Conn> {
  const raw = await openConn(attempt, address);
  if (!useTLS) return raw;
  const { secure } = await import('../net/tls.js');
  const options = { serverName: host, protocols: ['h2'], handshakeTimeout: Infinity };
  const { conn, protocol } = await secure(attempt, raw, options);
  if (protocol === 'h2') return conn;
  conn.close();
  throw new IoError('credentials: cannot check peer: missing selected ALPN property');
}

/** Ports Exponential.Backoff (google.golang.org/grpc/internal/backoff/backoff.go). */
function backoff(retries: number, random: number): number {
  const { base, multiplier, jitter, max } = BACKOFF;
  if (retries === 0) return base;
  return Math.min(base * multiplier ** retries, max) * (1 + jitter * (random * 2 - 1));
}

/** Rejects when the attempt ends before. */
function pause({ options, deadline }: Attempt, delay: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const release = deadline.onEnd(() => {
      timer.cancel();
      reject(new IoError(DEADLINE_EXCEEDED));
    });
    const timer = options.clock.setTimeout(() => {
      release();
      resolve();
    }, delay);
  });
}

/** Asks for a service's health, once more where the server has not processed the call. Ports withRetry (google.golang.org/grpc/stream.go). */
async function checkHealth(
  attempt: Attempt,
  first: H2Connection,
  check: HealthCheck,
): Promise<CallEnd> {
  const version = attempt.options.kubeletVersion ?? DEFAULT_RELEASE;
  const behavior = behaviorOf({ version });
  let connection = first;
  for (let tries = 1; ; tries++) {
    const fields = callFields(attempt, check);
    attempt.requests.push(`${fields.map(([name, value]) => `${name}: ${value}\n`).join('')}\n`);
    const end = await healthCall(connection, fields, check.service, behavior, () =>
      attempt.reached('firstByte'),
    );
    if (end.kind === 'message' || !end.unprocessed || tries > 1) return end;
    if (attempt.deadline.expired) return end;
    if (connection.goAway === undefined) continue;
    connection.close();
    try {
      connection = await connect(attempt, check);
    } catch (error) {
      if (!(error instanceof IoError)) throw error;
      return end;
    }
  }
}

/** Ports createHeaderFields (internal/transport/http2_client.go). */
function callFields({ options, deadline }: Attempt, { address, useTLS }: HealthCheck): Fields {
  const authority = address.startsWith(':') ? `localhost${address}` : address;
  return [
    [':method', 'POST'],
    [':scheme', useTLS ? 'https' : 'http'],
    [':path', '/grpc.health.v1.Health/Check'],
    [':authority', encodeAuthority(authority)],
    ['content-type', 'application/grpc'],
    ['user-agent', userAgent(options.kubeletVersion ?? DEFAULT_RELEASE)],
    ['te', 'trailers'],
    ['grpc-accept-encoding', GZIP],
    ['grpc-timeout', encodeTimeout(deadline.left)],
  ];
}

function userAgent(version: string): string {
  const grpcGo = GRPC_GO[nearestRelease(version)];
  return `kube-probe/${minorVersion(version)} grpc-go/${grpcGo}`;
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
  const units = { n: 1e-6, u: 1e-3, m: 1, S: 1000, M: 60_000 };
  for (const [unit, size] of Object.entries(units)) {
    const count = Math.ceil(milliseconds / size);
    if (count <= MAX_TIMEOUT_VALUE) return `${count}${unit}`;
  }
  return `${Math.ceil(milliseconds / 3_600_000)}H`;
}
