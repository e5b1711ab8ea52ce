import { hostname } from '../../go/url.js';
import type { HttpRequest } from '../../kubelet/prober/http-request.js';
import type { Attempt } from '../attempt.js';
import { openConn } from '../net/open.js';
import { secure, type TlsConn } from '../net/tls.js';
import { canonicalAddr, idnaASCII } from './address.js';
import type { HttpResponse, HttpTransport } from './http-response.js';
import { roundTripHTTP1 } from './http1.js';
import { CanceledWhileConnecting } from './request-canceled.js';
import { RetryOnNewConn } from './retry.js';

/** Sends a request over TLS, in the protocol that ALPN chose; again where HTTP/2 says that it may be. */
export async function roundTripTLS(
  attempt: Attempt,
  transport: HttpTransport,
  request: HttpRequest,
  offersHTTP2: boolean,
): Promise<HttpResponse> {
  for (;;) {
    try {
      return await roundTripOnce(attempt, transport, request, offersHTTP2);
    } catch (error) {
      // Transport.roundTrip dials anew, as often as the time allows (net/http/transport.go).
      if (!(error instanceof RetryOnNewConn) || attempt.deadline.expired) throw error;
    }
  }
}

async function roundTripOnce(
  attempt: Attempt,
  transport: HttpTransport,
  request: HttpRequest,
  offersHTTP2: boolean,
): Promise<HttpResponse> {
  const { conn, protocol } = await connect(attempt, transport, request, offersHTTP2);
  if (protocol !== 'h2') return roundTripHTTP1(attempt, transport, request, conn);
  const { roundTripHTTP2 } = await import('./http2.js');
  return roundTripHTTP2(attempt, request, conn);
}

async function connect(
  attempt: Attempt,
  { handshakeTimeout }: HttpTransport,
  { url }: HttpRequest,
  offersHTTP2: boolean,
): Promise<TlsConn> {
  try {
    const raw = await openConn(attempt, canonicalAddr(url));
    const serverName = idnaASCII(hostname(url));
    const protocols = offersHTTP2 ? ['h2', 'http/1.1'] : [];
    return await secure(attempt, raw, { serverName, protocols, handshakeTimeout });
  } catch (error) {
    throw attempt.deadline.expired ? new CanceledWhileConnecting() : error;
  }
}
