import { type ByteString, isASCII, toText } from '../../go/byte-string.js';
import type { Header } from '../../go/header.js';
import { joinHostPort } from '../../go/host-port.js';
import { quote } from '../../go/quote.js';
import { type GoUrl, hostname, port } from '../../go/url.js';
import type { HttpRequest } from '../../kubelet/prober/http-request.js';
import type { Attempt } from '../attempt.js';
import { IoError } from '../io-error.js';
import { openConn } from '../net/open.js';
import type { Body } from './body.js';
import { roundTripHTTP1 } from './http1.js';
import { ExpiredBefore } from './request-canceled.js';
import { requiresHTTP1, validateHeaders } from './request-head.js';

/** What kprobe uses of http.Response. */
export interface HttpResponse {
  readonly statusCode: number;
  readonly header: Header;
  /** -1 where it is not known. */
  readonly contentLength: number;
  readonly body: Body;
  /** Ends its connection. */
  readonly close: () => void;
}

/** The parts of http.Transport in which the prober's and the lifecycle hooks' clients differ. */
export interface HttpTransport {
  /** Asks for the connection's end after each response (DisableKeepAlives). */
  readonly close: boolean;
  /** Asks for gzip (not DisableCompression). */
  readonly gzip: boolean;
  /** Offers h2 over TLS. */
  readonly http2: boolean;
  /** Milliseconds (TLSHandshakeTimeout). */
  readonly handshakeTimeout: number;
}

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

/** Ports canonicalAddr (net/http/transport.go). */
export function canonicalAddr(url: GoUrl): string {
  return joinHostPort(idnaASCII(hostname(url)), port(url) || (url.scheme === 'https' ? 443 : 80));
}

/** Ports idnaASCIIFromURL (net/http/transport.go): a name as DNS has it. */
export function idnaASCII(host: ByteString): string {
  if (isASCII(host)) return host;
  try {
    return new URL(`http://${toText(host)}`).hostname;
  } catch {
    return host;
  }
}
