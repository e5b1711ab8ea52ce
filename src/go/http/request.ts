import { punycodeHostPort } from '../addr.js';
import type { ByteString } from '../byte-string.js';
import { IoError } from '../io-error.js';
import { quote } from '../quote.js';
import { type GoUrl, requestURI } from '../url.js';
import {
  getHeader,
  type Header,
  isValidHeaderName,
  isValidHeaderValue,
  trimBlanks,
} from './header.js';

/** A GET: the part of http.Request that kprobe uses. */
export interface HttpRequest {
  readonly url: GoUrl;
  readonly header: Header;
  /** The Host header; the URL's host when empty. */
  readonly host: ByteString;
}

/** The headers that http.Transport adds to a request. */
export interface AddedHeaders {
  /** Asks for the connection's end after the response (DisableKeepAlives). */
  readonly close: boolean;
  /** Asks for gzip (not DisableCompression). */
  readonly gzip: boolean;
}

/** Headers that Request.Write writes itself, or never. */
const EXCLUDED = new Set(['Host', 'User-Agent', 'Content-Length', 'Transfer-Encoding', 'Trailer']);

/** Returns the bytes of a request in HTTP/1.1. Ports Request.write (net/http/request.go), with what persistConn.roundTrip adds (net/http/transport.go). */
export function requestText({ url, header, host }: HttpRequest, added: AddedHeaders): ByteString {
  const target = requestURI(url);
  if (/[\x00-\x1f\x7f]/.test(target)) {
    throw new IoError("net/http: can't write control character in Request.URL");
  }
  const lines = [`GET ${target} HTTP/1.1`, `Host: ${hostHeader(host === '' ? url.host : host)}`];
  const add = (name: ByteString, value: ByteString): void => {
    lines.push(`${name}: ${trimBlanks(value.replace(/[\r\n]/g, ' '))}`);
  };
  const [userAgent = 'Go-http-client/1.1'] = header.get('User-Agent') ?? [];
  if (userAgent !== '') add('User-Agent', userAgent);
  for (const name of [...header.keys()].sort()) {
    if (EXCLUDED.has(name)) continue;
    for (const value of header.get(name) ?? []) add(name, value);
  }
  const mayZip = getHeader(header, 'Accept-Encoding') === '' && getHeader(header, 'Range') === '';
  if (added.gzip && mayZip) add('Accept-Encoding', 'gzip');
  const saysClose = hasBoundedToken(getHeader(header, 'Connection'), 'close');
  if (added.close && !saysClose && !isProtocolSwitch(header)) add('Connection', 'close');
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Returns the Host header of a host; empty where it is not valid. Ports a part of Request.write (net/http/request.go). */
function hostHeader(host: ByteString): ByteString {
  const ascii = punycodeHostPort(host);
  return isValidHost(ascii) ? removeZone(ascii) : '';
}

/** Ports httpguts.ValidHostHeader (golang.org/x/net/http/httpguts/httplex.go). */
export function isValidHost(host: ByteString): boolean {
  return /^[0-9A-Za-z!$%&()*+,\-.:;=[\]'_~]*$/.test(host);
}

/** `[fe80::1%en0]:8080` → `[fe80::1]:8080`. Ports removeZone (net/http/request.go). */
function removeZone(host: ByteString): ByteString {
  const close = host.lastIndexOf(']');
  if (!host.startsWith('[') || close < 0) return host;
  const percent = host.lastIndexOf('%', close);
  return percent < 0 ? host : host.slice(0, percent) + host.slice(close);
}

/** Throws when a header cannot be sent. Ports validateHeaders (net/http/transport.go). */
export function validateHeaders(header: Header): void {
  for (const [name, values] of header) {
    if (!isValidHeaderName(name)) {
      throw new IoError(`net/http: invalid header field name ${quote(name)}`);
    }
    if (!values.every(isValidHeaderValue)) {
      throw new IoError(`net/http: invalid header field value for ${quote(name)}`);
    }
  }
}

/** Ports isProtocolSwitchHeader (net/http/response.go). */
export function isProtocolSwitch(header: Header): boolean {
  return getHeader(header, 'Upgrade') !== '' && hasToken(header, 'Connection', 'upgrade');
}

/** Ports Request.requiresHTTP1 (net/http/request.go). */
export function requiresHTTP1(header: Header): boolean {
  const isUpgrade = hasBoundedToken(getHeader(header, 'Connection'), 'upgrade');
  return isUpgrade && getHeader(header, 'Upgrade').toLowerCase() === 'websocket';
}

/** Ports httpguts.HeaderValuesContainsToken (golang.org/x/net/http/httpguts/httplex.go). */
export function hasToken(header: Header, name: ByteString, token: string): boolean {
  const values = header.get(name) ?? [];
  return values.some((value) =>
    value.split(',').some((part) => trimBlanks(part).toLowerCase() === token),
  );
}

/** Ports hasToken (net/http/header.go), which takes blanks for commas. */
function hasBoundedToken(value: ByteString, token: string): boolean {
  return value
    .toLowerCase()
    .split(/[ ,\t]/)
    .includes(token);
}
