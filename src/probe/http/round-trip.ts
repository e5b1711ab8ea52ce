import { quote } from '../../go/quote.js';
import type { HttpRequest } from '../../kubelet/prober/http-request.js';
import type { Attempt } from '../attempt.js';
import { IoError } from '../io-error.js';
import { openConn } from '../net/open.js';
import { canonicalAddr } from './address.js';
import type { HttpResponse, HttpTransport } from './http-response.js';
import { roundTripHTTP1 } from './http1.js';
import { ExpiredBefore } from './request-canceled.js';
import { requiresHTTP1, validateHeaders } from './request-head.js';

/** Ports Transport.roundTrip (net/http/transport.go) for a connection each. */
export async function roundTrip(
  attempt: Attempt,
  transport: HttpTransport,
  request: HttpRequest,
): Promise<HttpResponse> {
  const { url, header } = request;
  const isHTTP = url.scheme === 'http' || url.scheme === 'https';
  if (isHTTP) validateHeaders(header);
  if (!isHTTP) throw new IoError(`unsupported protocol scheme ${quote(url.scheme)}`);
  if (url.host === '') throw new IoError('http: no Host in request URL');
  if (attempt.deadline.expired) throw new ExpiredBefore();
  if (url.scheme === 'https') {
    const { roundTripTLS } = await import('./https.js');
    return roundTripTLS(attempt, transport, request, transport.http2 && !requiresHTTP1(header));
  }
  const conn = await openConn(attempt, canonicalAddr(url));
  return roundTripHTTP1(attempt, transport, request, conn);
}
