import type { HttpRequest } from '../../kubelet/prober/http-request.js';
import type { Attempt } from '../attempt.js';
import type { Conn } from '../net/conn.js';
import type { HttpResponse, HttpTransport } from './http-response.js';
import { readResponse } from './read-response.js';
import { headText, requestHead } from './request-head.js';
import { canSay } from './undici/limits.js';
import type * as Undici from './undici/round-trip.js';

/** Loaded with the first attempt. */
let undici: Promise<typeof Undici> | undefined;

/** Sends a request on a fresh connection and reads the response's head: through undici, where it can. Ports persistConn.roundTrip (net/http/transport.go). */
export async function roundTripHTTP1(
  attempt: Attempt,
  transport: HttpTransport,
  request: HttpRequest,
  conn: Conn,
): Promise<HttpResponse> {
  const head = requestHead(transport, request);
  if (canSay(head)) {
    undici ??= import('./undici/round-trip.js');
    const { roundTripUndici } = await undici;
    return roundTripUndici(attempt, head, conn);
  }
  const text = headText(head);
  attempt.requests.push(text);
  conn.write(text);
  return readResponse(attempt, conn);
}
