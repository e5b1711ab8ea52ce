/* Ported from net/http/client.go, with its names. */

import { joinHostPort } from '../../go/addr.js';
import { type ByteString, isASCII, toText } from '../../go/byte-string.js';
import { BufioReader } from '../../go/http/bufio.js';
import { getHeader, type Header } from '../../go/http/header.js';
import {
  type HttpRequest,
  requestText,
  requiresHTTP1,
  validateHeaders,
} from '../../go/http/request.js';
import { MAX_HEADER_BYTES, readResponse, type ResponseHead } from '../../go/http/response.js';
import { DEADLINE_EXCEEDED, IoError, type IoReason } from '../../go/io-error.js';
import { quote } from '../../go/quote.js';
import {
  getErrorText,
  type GoUrl,
  hostname,
  port,
  replaceFirst,
  stripPassword,
  urlString,
  userinfoString,
} from '../../go/url.js';
import { parseReference, parseUrl } from '../../go/url-parse.js';
import type { Attempt } from '../attempt.js';
import type { Conn } from '../net/conn.js';
import { openConn } from '../net/dial.js';
import type { TlsConn } from '../net/tls.js';
import { type HttpResponse, type HttpTransport, RetryOnNewConn } from './http-response.js';

/** Bytes of a redirect's body that are read before the next hop. */
const MAX_BODY_SLURP_SIZE = 2048;
const MAX_REQUESTS = 10;

/** Headers that go to no other domain. */
const SENSITIVE = new Set([
  'Authorization',
  'Www-Authenticate',
  'Cookie',
  'Cookie2',
  'Proxy-Authorization',
  'Proxy-Authenticate',
]);
/** Headers about a body, which a redirect other than 307 and 308 drops. */
const OF_BODY = new Set([
  'Content-Encoding',
  'Content-Language',
  'Content-Location',
  'Content-Type',
]);

/** Sends a request and follows its redirects; throws an IoError `Get "…": …`. Ports Client.do (net/http/client.go). */
export async function doRequest(
  attempt: Attempt,
  transport: HttpTransport,
  first: HttpRequest,
): Promise<HttpResponse> {
  const hops: HttpRequest[] = [];
  let dropsBody = false;
  for (let request = first; ;) {
    hops.push(request);
    const response = await send(attempt, transport, request);
    const location = getHeader(response.header, 'Location');
    if (!isRedirect(response.statusCode) || location === '') return response;
    dropsBody ||= !keepsBody(response.statusCode);
    const url = locate(request, response, location);
    // Ports RedirectChecker (pkg/probe/http/http.go).
    const isLocal = hostname(url) === hostname(first.url);
    if (!isLocal && attempt.options.followNonLocalRedirects !== true) return response;
    await discard(response, MAX_BODY_SLURP_SIZE);
    response.close();
    if (hops.length >= MAX_REQUESTS) {
      throw urlError(location, 'stopped after 10 redirects', 'redirects');
    }
    const header = copiedHeader(first.header, leavesDomain(hops, url), dropsBody);
    const referer = refererForURL(request.url, url, getHeader(header, 'Referer'));
    if (referer !== '') header.set('Referer', [referer]);
    request = { url, header, host: keptHost(request, location) };
  }
}

/** Ports redirectBehavior (net/http/client.go). */
function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || keepsBody(status);
}

function keepsBody(status: number): boolean {
  return status === 307 || status === 308;
}

function locate(request: HttpRequest, response: HttpResponse, location: ByteString): GoUrl {
  const located = parseReference(request.url, location);
  if (located.ok) return located.value;
  response.close();
  const message = `failed to parse Location header ${quote(location)}: ${located.error}`;
  throw urlError(stripPassword(request.url), message);
}

function urlError(url: ByteString, cause: string, reason?: IoReason): IoError {
  return new IoError(getErrorText(url, cause), reason);
}

/** Reads what is left of a body, up to a limit, unless it is declared to be longer. */
export async function discard({ body, contentLength }: HttpResponse, limit: number): Promise<void> {
  if (contentLength > limit) return;
  const into = new Uint8Array(limit);
  for (let read = 0; read < limit;) {
    const { size, error } = await body.read(into.subarray(read));
    if (error) return;
    read += size;
  }
}

/** Ports Client.send (net/http/client.go). */
async function send(
  attempt: Attempt,
  transport: HttpTransport,
  request: HttpRequest,
): Promise<HttpResponse> {
  try {
    return await roundTrip(attempt, transport, withBasicAuth(request));
  } catch (error) {
    if (!(error instanceof IoError)) throw error;
    const url = stripPassword(request.url);
    if (!attempt.deadline.expired) throw urlError(url, error.message, error.reason);
    throw urlError(url, timeoutText(error, request.url.scheme === 'https'), 'timeout');
  }
}

/**
 * Returns the text of a timeout. Over TLS, Go has two timers, and the text depends on the one that fires first: these
 * texts are the more frequent ones. Ports the end of Client.do (net/http/client.go).
 */
function timeoutText(error: IoError, isTLS: boolean): string {
  if (isTLS && error === EXPIRED) return DEADLINE_EXCEEDED;
  const text = isTLS && error === CANCELED ? error.message : DEADLINE_EXCEEDED;
  return `${text} (Client.Timeout exceeded while awaiting headers)`;
}

function withBasicAuth(request: HttpRequest): HttpRequest {
  const { url, header } = request;
  if (!url.user || getHeader(header, 'Authorization') !== '') return request;
  const credentials = `${url.user.username}:${url.user.password ?? ''}`;
  const authorization = `Basic ${Buffer.from(credentials, 'latin1').toString('base64')}`;
  return { ...request, header: new Map([...header, ['Authorization', [authorization]]]) };
}

/** Returns the Host of the next hop: the caller's own is kept where the Location is relative. */
function keptHost({ host, url }: HttpRequest, location: ByteString): ByteString {
  if (host === '' || host === url.host) return '';
  const reference = parseUrl(location);
  return reference.ok && reference.value.scheme === '' ? host : '';
}

/** Reports whether a hop has left the first request's domain. Ports shouldCopyHeaderOnRedirect (net/http/client.go). */
function leavesDomain(hops: readonly HttpRequest[], next: GoUrl): boolean {
  const [first] = hops;
  if (!first) return false;
  const domain = idnaASCII(hostname(first.url));
  return [...hops.map(({ url }) => url), next].some(
    (url) => url.host !== first.url.host && !isDomainOrSubdomain(idnaASCII(hostname(url)), domain),
  );
}

function isDomainOrSubdomain(sub: string, parent: string): boolean {
  return sub === parent || (!/[:%]/.test(sub) && sub.endsWith(`.${parent}`));
}

/** Ports makeHeadersCopier (net/http/client.go). */
function copiedHeader(
  header: Header,
  leaves: boolean,
  dropsBody: boolean,
): Map<ByteString, readonly ByteString[]> {
  const isKept = (name: ByteString): boolean =>
    !(leaves && SENSITIVE.has(name)) && !(dropsBody && OF_BODY.has(name));
  return new Map([...header].filter(([name]) => isKept(name)));
}

function refererForURL(last: GoUrl, next: GoUrl, explicit: ByteString): ByteString {
  if (last.scheme === 'https' && next.scheme === 'http') return '';
  if (explicit !== '') return explicit;
  const referer = urlString(last);
  return last.user ? replaceFirst(referer, `${userinfoString(last.user)}@`, '') : referer;
}

/** The timeout passed before the request began. */
export const EXPIRED = new IoError('context deadline exceeded');
/** The timeout passed before there was a connection. Ports errRequestCanceledConn (net/http/transport.go). */
const CANCELED = new IoError('net/http: request canceled while waiting for connection');

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
  return sendOnNewConn(attempt, transport, request);
}

/** Sends a request again on another connection where HTTP/2 allows it. */
async function sendOnNewConn(
  attempt: Attempt,
  transport: HttpTransport,
  request: HttpRequest,
): Promise<HttpResponse> {
  for (;;) {
    try {
      const { conn, protocol } = await dialConn(attempt, transport, request);
      if (protocol !== 'h2') return await roundTripHTTP1(attempt, transport, request, conn);
      const { roundTripHTTP2 } = await import('./http2.js');
      return await roundTripHTTP2(attempt, request, conn);
    } catch (error) {
      if (!(error instanceof RetryOnNewConn) || attempt.deadline.expired) throw error;
    }
  }
}

/** Connects, and returns the protocol: that which ALPN chooses over TLS. Ports Transport.dialConn (net/http/transport.go). */
async function dialConn(
  attempt: Attempt,
  transport: HttpTransport,
  request: HttpRequest,
): Promise<TlsConn> {
  const { url } = request;
  if (url.scheme === 'https') return connectTLS(attempt, transport, request);
  const conn = await openConn(attempt, canonicalAddr(url));
  return { conn, protocol: transport.h2c === true ? 'h2' : '' };
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
