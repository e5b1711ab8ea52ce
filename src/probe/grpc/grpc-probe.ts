import { joinHostPort } from '../../go/addr.js';
import { type ByteString, outputOf, toByteString } from '../../go/byte-string.js';
import { formatDuration } from '../../go/duration.js';
import { quote } from '../../go/quote.js';
import { parseUrl } from '../../go/url-parse.js';
import type { ProbeOutcome, ProbeTarget } from '../../kubelet/ports.js';
import { KUBELET_VERSION } from '../../kubelet/prober/http-request.js';
import { Attempt, type TransportOptions } from '../attempt.js';
import { IoError } from '../io-error.js';
import { checkHealth } from './check-health.js';
import { connectBlocking } from './connect.js';
import type { GrpcConnection } from './connection.js';
import { servingStatusName } from './health-message.js';
import { hasCode, type Status, statusText } from './status.js';

/** Makes one attempt of a grpc probe. Ports grpcProber.Probe (pkg/probe/grpc/grpc.go). */
export async function grpcProbe(
  options: TransportOptions,
  target: ProbeTarget,
  host: string,
  port: number,
  service: string,
  timeoutSeconds: number,
): Promise<ProbeOutcome> {
  const attempt = new Attempt(options, target, timeoutSeconds * 1000);
  const timeout = formatDuration(timeoutSeconds * 1000);
  const address = joinHostPort(toByteString(host), port);
  try {
    const output = await probe(attempt, address, toByteString(service), timeout);
    const result = output === HEALTHY ? 'success' : 'failure';
    return { result, ...outputOf(output), detail: attempt.end() };
  } finally {
    attempt.deadline.end();
  }
}

const HEALTHY = 'service healthy';

async function probe(
  attempt: Attempt,
  address: ByteString,
  service: ByteString,
  timeout: string,
): Promise<ByteString> {
  // An address that makes no target of a channel.
  const target = parseUrl(`passthrough:///${address}`);
  if (!target.ok) return `error: failed to connect service at ${quote(address)}: ${target.error}`;
  let connection: GrpcConnection;
  try {
    connection = await connectBlocking(attempt, address);
  } catch (error) {
    if (!(error instanceof IoError)) throw error;
    return `timeout: failed to connect service ${quote(address)} within ${timeout}: context deadline exceeded`;
  }
  const userAgent = `kube-probe/${attempt.options.kubeletVersion ?? KUBELET_VERSION}`;
  const end = await checkHealth(attempt, connection, { address, service, userAgent });
  attempt.responses.push(
    end.kind === 'message' ? servingStatusName(end.message) : statusText(end.status),
  );
  const isLate = end.kind === 'error' && attempt.deadline.expired;
  if (isLate) return `timeout: health rpc did not complete within ${timeout}`;
  if (end.kind === 'error') return errorOutput(end.status, timeout);
  const name = servingStatusName(end.message);
  return name === 'SERVING' ? HEALTHY : `service unhealthy (responded with "${name}")`;
}

function errorOutput(status: Status, timeout: string): ByteString {
  if (hasCode(status, 'Unimplemented')) {
    return `error: this server does not implement the grpc health protocol (grpc.health.v1.Health): ${status.message}`;
  }
  if (hasCode(status, 'DeadlineExceeded')) {
    return `timeout: health rpc did not complete within ${timeout}`;
  }
  return `error: health rpc probe failed: ${statusText(status)}`;
}
