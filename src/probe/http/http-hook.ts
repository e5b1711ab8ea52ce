import { toText } from '../../go/byte-string.js';
import type { ProbeTarget } from '../../kubelet/ports.js';
import type { HttpRequest } from '../../kubelet/prober/http-request.js';
import { Attempt, type TransportOptions } from '../attempt.js';
import { ioErrorText } from '../io-error.js';
import { doRequest } from './client.js';
import type { HttpResponse, HttpTransport } from './http-response.js';

const MAX_RESP_BODY_LENGTH = 10 * 1024;

/** insecureContainerLifecycleHTTPClient (pkg/kubelet/kubelet.go): a client as Go makes it, that takes any certificate. */
const HOOK_TRANSPORT: HttpTransport = {
  close: false,
  gzip: true,
  http2: false,
  handshakeTimeout: Infinity,
};

/** Sends a lifecycle hook's request once; resolves with the error's text, or undefined. Only the connection's end limits it, as in the kubelet. */
export async function httpHook(
  options: TransportOptions,
  target: ProbeTarget,
  request: HttpRequest,
): Promise<string | undefined> {
  const attempt = new Attempt(options, target);
  try {
    await discardBody(await doRequest(attempt, HOOK_TRANSPORT, request));
    return undefined;
  } catch (error) {
    return toText(ioErrorText(error));
  } finally {
    attempt.end();
  }
}

/** Ports discardHTTPRespBody (pkg/kubelet/lifecycle/handlers.go). */
async function discardBody({ body, contentLength }: HttpResponse): Promise<void> {
  if (contentLength > MAX_RESP_BODY_LENGTH) return;
  const into = new Uint8Array(MAX_RESP_BODY_LENGTH);
  for (let read = 0; read < into.length;) {
    const { size, error } = await body.read(into.subarray(read));
    if (error) return;
    read += size;
  }
}
