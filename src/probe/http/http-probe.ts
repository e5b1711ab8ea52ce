import { latin1, toText } from '../../go/byte-string.js';
import { EOF_ERROR } from '../../go/http/bufio.js';
import type { HttpRequest } from '../../go/http/request.js';
import type { Body } from '../../go/http/transfer.js';
import { IoError } from '../../go/io-error.js';
import type { ProbeOutcome, ProbeTarget } from '../../kubelet/ports.js';
import { httpOutcome } from '../../kubelet/prober/http-request.js';
import { Attempt, failureOf, type TransportOptions } from '../attempt.js';
import { discard, doRequest } from './client.js';
import type { HttpResponse, HttpTransport } from './http-response.js';

/** Bytes of a body that are read (maxRespBodyLength, pkg/probe/http/http.go): a long response cannot fill the memory. */
export const MAX_RESP_BODY_LENGTH = 10 * 1024;

/** Ports NewWithTLSConfig (pkg/probe/http/http.go) and SetTransportDefaults (apimachinery, pkg/util/net/http.go). */
const PROBE_TRANSPORT: HttpTransport = {
  close: true,
  gzip: false,
  http2: true,
  handshakeTimeout: 10_000,
};

/** Ports h2cTransport of NewWithTLSConfig (pkg/probe/http/http.go of v1.37). */
const H2C_TRANSPORT: HttpTransport = {
  ...PROBE_TRANSPORT,
  http2: false,
  h2c: true,
  handshakeTimeout: Infinity,
};

/** Makes one attempt of an httpGet probe. Ports httpProber.Probe and ProbeH2C (pkg/probe/http/http.go). */
export async function httpProbe(
  options: TransportOptions,
  target: ProbeTarget,
  request: HttpRequest,
  timeoutSeconds: number,
  isH2C = false,
): Promise<ProbeOutcome> {
  const attempt = new Attempt(options, target, timeoutSeconds * 1000);
  try {
    const outcome = await doHTTPProbe(attempt, isH2C ? H2C_TRANSPORT : PROBE_TRANSPORT, request);
    return { ...outcome, detail: attempt.end() };
  } finally {
    attempt.deadline.end();
  }
}

/** Ports DoHTTPProbe (pkg/probe/http/http.go). */
async function doHTTPProbe(
  attempt: Attempt,
  transport: HttpTransport,
  request: HttpRequest,
): Promise<ProbeOutcome> {
  let response: HttpResponse;
  try {
    response = await doRequest(attempt, transport, request);
  } catch (error) {
    // Convert errors into failures to catch timeouts.
    return failureOf(error);
  }
  const { statusCode } = response;
  const { data, error } = await readAtMost(response.body, MAX_RESP_BODY_LENGTH);
  attempt.body = data;
  if (error !== undefined) {
    return { result: 'failure', output: '', statusCode, ...bodyError(attempt, error) };
  }
  return httpOutcome(statusCode, latin1(data));
}

/** Ports cancelTimerBody.Read (net/http/client.go). */
function bodyError({ deadline }: Attempt, error: Error): Pick<ProbeOutcome, 'error' | 'reason'> {
  if (!deadline.expired) {
    const reason = error instanceof IoError ? error.reason : undefined;
    return { error: toText(error.message), reason };
  }
  const message =
    'context deadline exceeded (Client.Timeout or context cancellation while reading body)';
  return { error: message, reason: 'timeout' };
}

/** The sizes of the buffers that io.ReadAll fills one after another (io/io.go of Go 1.26). */
const READ_ALL_SIZES = [512, 256, 384, 576, 896, 1408, 2048, 3072, 4864, 6784];

/**
 * Reads until the end or the limit, whichever is first. Ports ReadAtMost (k8s.io/utils/io/read.go). The sizes of its
 * reads decide whether an error behind the limit's last byte is noticed.
 */
async function readAtMost(
  body: Body,
  limit: number,
): Promise<{ readonly data: Buffer; readonly error?: Error }> {
  const parts: Buffer[] = [];
  let left = limit;
  for (const capacity of READ_ALL_SIZES) {
    const part = Buffer.allocUnsafe(capacity);
    let filled = 0;
    const whole = (): Buffer => Buffer.concat([...parts, part.subarray(0, filled)]);
    while (capacity - filled >= Math.max(1, Math.floor(capacity / 16))) {
      if (left === 0) return { data: whole() };
      const { size, error } = await body.read(part.subarray(filled, filled + left));
      left -= size;
      filled += size;
      if (error) return error === EOF_ERROR ? { data: whole() } : { data: whole(), error };
    }
    parts.push(part.subarray(0, filled));
  }
  return { data: Buffer.concat(parts) };
}

/** Ports insecureContainerLifecycleHTTPClient (pkg/kubelet/kubelet.go): Go's default client, which accepts any certificate. */
const HOOK_TRANSPORT: HttpTransport = {
  close: false,
  gzip: true,
  http2: false,
  handshakeTimeout: Infinity,
};

/** Sends a lifecycle hook's request once, without a timeout; resolves with the error's text, or undefined. */
export async function httpHook(
  options: TransportOptions,
  target: ProbeTarget,
  request: HttpRequest,
): Promise<string | undefined> {
  const attempt = new Attempt(options, target);
  try {
    // Ports discardHTTPRespBody (pkg/kubelet/lifecycle/handlers.go).
    await discard(await doRequest(attempt, HOOK_TRANSPORT, request), MAX_RESP_BODY_LENGTH);
    return undefined;
  } catch (error) {
    return failureOf(error).output;
  } finally {
    attempt.end();
  }
}
