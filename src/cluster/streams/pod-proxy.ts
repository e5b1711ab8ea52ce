import type { ClusterError } from '../cluster-error.js';
import type { Connection } from '../connection/connection.js';
import { answerError } from '../connection/request-error.js';
import { resourcePath } from '../resources.js';
import type { PodRef, ProxyRequest, ProxyResponse } from '../types.js';

/**
 * Gets a path of a pod through pods/proxy of the API server, which drops Authorization and sets Host on its own.
 *
 * @throws ClusterError when the API server may not, or cannot, reach the pod
 */
export async function proxyGet(
  connection: Connection,
  { namespace, name }: PodRef,
  { scheme, port, path, headers, timeout, maxBody }: ProxyRequest,
  signal: AbortSignal,
): Promise<ProxyResponse> {
  const pod = resourcePath('pods', { namespace, name: `${scheme}:${name}:${port}` });
  const names = Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value] as const);
  const sent = Object.fromEntries(
    names.filter(([key]) => key !== 'authorization' && key !== 'host'),
  );
  const response = await connection.request(`${pod}/proxy/${path.replace(/^\//, '')}`, {
    signal,
    headers: sent,
    headersTimeout: timeout,
    bodyTimeout: timeout,
    anyStatus: true,
  });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maxBody) break;
  }
  const body = Buffer.concat(chunks).subarray(0, maxBody);
  const own = ownError(connection, response.statusCode, body.toString());
  if (own !== undefined) throw own;
  return { status: response.statusCode, body };
}

/** Returns the error when an answer is the API server's own, rather than the pod's. */
function ownError(connection: Connection, status: number, body: string): ClusterError | undefined {
  if (status < 400 || !body.includes('"kind":"Status"')) return undefined;
  const error = answerError(status, body, connection.base);
  const unreached = error.message.startsWith('error trying to reach service');
  const missing = status === 404 && error.message.startsWith('pods ');
  return error.rule !== undefined || status === 401 || unreached || missing ? error : undefined;
}
