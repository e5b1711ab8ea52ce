import { joinHostPort } from '../go/addr.js';
import { toByteString } from '../go/byte-string.js';
import {
  type ProbeOutcome,
  type ProbeTarget,
  type ProbeTransports,
  RuntimeError,
} from '../kubelet/ports.js';
import { Attempt, failureOf, type TransportOptions } from './attempt.js';
import { httpHook, httpProbe } from './http/http-probe.js';
import { openConn } from './net/dial.js';

/** Loads TLS, HTTP/2, gRPC and name lookup, so that no attempt spends its time on that. */
export async function loadTransports(): Promise<void> {
  await Promise.all([
    import('./net/tls.js'),
    import('./http/http2.js'),
    import('./grpc/grpc-probe.js'),
    import('node:dns'),
  ]);
}

/** Makes probe attempts over the network. What `loadTransports` loads is loaded with its first use otherwise. */
export function createTransports(options: TransportOptions): ProbeTransports {
  return {
    http: (...attempt) => httpProbe(options, ...attempt).catch(errorOutcome),
    tcp: (...attempt) => tcpProbe(options, ...attempt).catch(errorOutcome),
    async grpc(...attempt) {
      const { grpcProbe } = await import('./grpc/grpc-probe.js');
      return grpcProbe(options, ...attempt).catch(errorOutcome);
    },
    httpHook: (...attempt) =>
      httpHook(options, ...attempt).catch((error: unknown) => errorOutcome(error).error),
  };
}

/** Dials local ports in place of the ports of containers that listen on an address. */
export function mappedPorts(
  address: string,
  ports: ReadonlyMap<number, number>,
): NonNullable<TransportOptions['dial']> {
  return (_, host, port) => ({
    host,
    port: host === address ? (ports.get(port) ?? port) : port,
  });
}

/** Returns the outcome of an attempt that the runtime could not make, which says nothing of the target. */
function errorOutcome(error: unknown): ProbeOutcome {
  if (!(error instanceof RuntimeError)) throw error;
  return { result: 'unknown', output: '', error: error.message };
}

/** Makes one attempt of a tcpSocket probe: a connection is a success. Ports DoTCPProbe (pkg/probe/tcp/tcp.go). */
async function tcpProbe(
  options: TransportOptions,
  target: ProbeTarget,
  host: string,
  port: number,
  timeoutSeconds: number,
): Promise<ProbeOutcome> {
  const attempt = new Attempt(options, target, timeoutSeconds * 1000);
  try {
    await openConn(attempt, joinHostPort(toByteString(host), port));
    return { result: 'success', output: '', detail: attempt.end() };
  } catch (error) {
    // Convert errors to failures to handle timeouts.
    return { ...failureOf(error), detail: attempt.end() };
  } finally {
    attempt.deadline.end();
  }
}
