import { joinHostPort } from '../../go/addr.js';
import { type ByteString, isASCII, toText } from '../../go/byte-string.js';
import { BufioReader } from '../../go/http/bufio.js';
import {
  type HttpRequest,
  requestText,
  requiresHTTP1,
  validateHeaders,
} from '../../go/http/request.js';
import { MAX_HEADER_BYTES, readResponse, type ResponseHead } from '../../go/http/response.js';
import { IoError } from '../../go/io-error.js';
import { quote } from '../../go/quote.js';
import { type GoUrl, hostname, port } from '../../go/url.js';
import type { Attempt } from '../attempt.js';
import type { Conn } from '../net/conn.js';
import { openConn } from '../net/dial.js';
import type { TlsConn } from '../net/tls.js';
import { type HttpResponse, type HttpTransport, RetryOnNewConn } from './http-response.js';

/** The time was up before the request began. */
export const EXPIRED = new IoError('context deadline exceeded');
/** The time was up before there was a connection. Ports errRequestCanceledConn (net/http/transport.go). */
export const CANCELED = new IoError('net/http: request canceled while waiting for connection');

/** Sends a request on a connection of its own, and reads the response up to its body. Ports Transport.roundTrip (net/http/transport.go). */
export async function roundTrip(
  attempt: Attempt,
  transport: HttpTransport,
  request: HttpRequest,
): Promise<HttpResponse> {
  const { url, header } = request;
  if (url.scheme !== 'http' && url.scheme !== 'https') {
    throw new IoError(`unsupported protocol scheme ${quote(url.scheme)}`);
  }
  validateHeaders(header);
  if (url.host === '') throw new IoError('http: no Host in request URL');
  if (attempt.deadline.expired) throw EXPIRED;
  if (url.scheme === 'https') return roundTripTLS(attempt, transport, request);
  const conn = await openConn(attempt, canonicalAddr(url));
  return roundTripHTTP1(attempt, transport, request, conn);
}

/** Ports persistConn.roundTrip (net/http/transport.go). */
async function roundTripHTTP1(
  attempt: Attempt,
  transport: HttpTransport,
  request: HttpRequest,
  conn: Conn,
): Promise<HttpResponse> {
  const text = requestText(request, transport);
  attempt.requests.push(text);
  conn.write(text);
  const reader = new BufioReader((into) => conn.read(into), MAX_HEADER_BYTES);
  const first = await reader.peek(1);
  if (first.error) throw conn.writeFailure ?? first.error;
  attempt.reached('firstByte');
  const response = await readResponse(reader);
  attempt.responses.push(headText(response));
  return { ...response, close: () => conn.close() };
}

function headText({ proto, status, header }: ResponseHead): ByteString {
  const lines = [`${proto} ${status}`];
  for (const [name, values] of header) for (const value of values) lines.push(`${name}: ${value}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Uses the protocol that ALPN chooses; sends the request again on a new connection where HTTP/2 allows it. */
async function roundTripTLS(
  attempt: Attempt,
  transport: HttpTransport,
  request: HttpRequest,
): Promise<HttpResponse> {
  for (;;) {
    try {
      const { conn, protocol } = await connectTLS(attempt, transport, request);
      if (protocol !== 'h2') return await roundTripHTTP1(attempt, transport, request, conn);
      const { roundTripHTTP2 } = await import('./http2.js');
      return await roundTripHTTP2(attempt, request, conn);
    } catch (error) {
      if (!(error instanceof RetryOnNewConn) || attempt.deadline.expired) throw error;
    }
  }
}

async function connectTLS(
  attempt: Attempt,
  { http2, handshakeTimeout }: HttpTransport,
  { url, header }: HttpRequest,
): Promise<TlsConn> {
  const { secure } = await import('../net/tls.js');
  try {
    const raw = await openConn(attempt, canonicalAddr(url));
    const serverName = idnaASCII(hostname(url));
    const protocols = http2 && !requiresHTTP1(header) ? ['h2', 'http/1.1'] : [];
    return await secure(attempt, raw, { serverName, protocols, handshakeTimeout });
  } catch (error) {
    throw attempt.deadline.expired ? CANCELED : error;
  }
}

/** Ports canonicalAddr (net/http/transport.go). */
function canonicalAddr(url: GoUrl): string {
  return joinHostPort(idnaASCII(hostname(url)), port(url) || (url.scheme === 'https' ? 443 : 80));
}

/** Ports idnaASCIIFromURL (net/http/transport.go). */
export function idnaASCII(host: ByteString): string {
  if (isASCII(host)) return host;
  try {
    return new URL(`http://${toText(host)}`).hostname;
  } catch {
    return host;
  }
}
