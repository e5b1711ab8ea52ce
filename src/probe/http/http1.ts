import type { HttpRequest } from '../../kubelet/prober/http-request.js';
import type { Attempt } from '../attempt.js';
import type { Conn } from '../net/conn.js';
import type { HttpResponse, HttpTransport } from './http-response.js';
import { readResponse } from './read-response.js';
import { headText, requestHead } from './request-head.js';

/** Sends a request on a fresh connection and reads the response's head. Ports persistConn.roundTrip (net/http/transport.go). */
export async function roundTripHTTP1(
  attempt: Attempt,
  transport: HttpTransport,
  request: HttpRequest,
  conn: Conn,
): Promise<HttpResponse> {
  const text = headText(requestHead(transport, request));
  attempt.requests.push(text);
  conn.write(text);
  return readResponse(attempt, conn);
}
