import { joinHostPort } from '../go/addr.js';
import { outputOf, toByteString } from '../go/byte-string.js';
import type { ProbeOutcome, ProbeTarget } from '../kubelet/ports.js';
import { Attempt, type TransportOptions } from './attempt.js';
import { ioErrorText } from './io-error.js';
import { openConn } from './net/open.js';

/** Makes one attempt of a tcpSocket probe: a connection is a success. Ports DoTCPProbe (pkg/probe/tcp/tcp.go). */
export async function tcpProbe(
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
    return { result: 'failure', ...outputOf(ioErrorText(error)), detail: attempt.end() };
  } finally {
    attempt.deadline.end();
  }
}
