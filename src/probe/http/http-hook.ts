import { toText } from '../../go/byte-string.js';
import type { HookOptions, ProbeTarget } from '../../kubelet/ports.js';
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

const GOT_HTTP = 'server gave HTTP response to HTTPS client';

/** Makes a lifecycle hook's request; over HTTP where an HTTPS one finds a server without TLS. Ports runHTTPHandler (pkg/kubelet/lifecycle/handlers.go). */
export async function httpHook(
  options: TransportOptions,
  target: ProbeTarget,
  request: HttpRequest,
  { signal, onFallback }: HookOptions = {},
): Promise<string | undefined> {
  const error = await send(options, target, request, signal);
  if (!error?.includes(GOT_HTTP)) return error;
  const { url, header } = request;
  const plain = {
    ...request,
    url: { ...url, scheme: 'http' },
    header: new Map([...header].filter(([name]) => name !== 'Authorization')),
  };
  if ((await send(options, target, plain, signal)) !== undefined) return error;
  const where = toText(url.host);
  onFallback?.(
    `request to HTTPS lifecycle hook ${where} got HTTP response, retry with HTTP succeeded`,
  );
  return undefined;
}

async function send(
  options: TransportOptions,
  target: ProbeTarget,
  request: HttpRequest,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const attempt = new Attempt(options, target);
  const abort = (): void => attempt.deadline.end();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    await discardBody(await doRequest(attempt, HOOK_TRANSPORT, request));
    return undefined;
  } catch (error) {
    return toText(ioErrorText(error));
  } finally {
    signal?.removeEventListener('abort', abort);
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
