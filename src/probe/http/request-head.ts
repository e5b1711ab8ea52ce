import { punycodeHostPort } from '../../go/addr.js';
import type { ByteString } from '../../go/byte-string.js';
import { getHeader, type Header, isValidHeaderName, isValidHeaderValue } from '../../go/header.js';
import { quote } from '../../go/quote.js';
import { requestURI } from '../../go/url.js';
import type { HttpRequest } from '../../kubelet/prober/http-request.js';
import { IoError } from '../io-error.js';
import type { HttpTransport } from './http-response.js';
import { trim } from './mime-header.js';
import { hasToken } from './transfer.js';

/** What Request.Write writes by itself, or never. */
const EXCLUDED = new Set(['Host', 'User-Agent', 'Content-Length', 'Transfer-Encoding', 'Trailer']);

/** A GET in HTTP/1.1, as it is to be written. */
export interface RequestHead {
  readonly target: ByteString;
  readonly host: ByteString;
  /** All other headers, in order, but for the connection's end. */
  readonly fields: readonly (readonly [name: string, value: ByteString])[];
  /** Asks for the connection's end. */
  readonly close: boolean;
}

/** What a request says in HTTP/1.1. Ports Request.write (net/http/request.go) and what Transport adds to it (net/http/transport.go). */
export function requestHead(transport: HttpTransport, request: HttpRequest): RequestHead {
  const { url, header } = request;
  const target = requestURI(url);
  if (/[\x00-\x1f\x7f]/.test(target)) {
    throw new IoError("net/http: can't write control character in Request.URL");
  }
  const fields: (readonly [string, ByteString])[] = [];
  const userAgent = header.has('User-Agent')
    ? getHeader(header, 'User-Agent')
    : 'Go-http-client/1.1';
  if (userAgent !== '') fields.push(['User-Agent', headerValue(userAgent)]);
  for (const name of [...header.keys()].sort()) {
    if (EXCLUDED.has(name)) continue;
    for (const value of header.get(name) ?? []) fields.push([name, headerValue(value)]);
  }
  const mayZip = getHeader(header, 'Accept-Encoding') === '' && getHeader(header, 'Range') === '';
  if (transport.gzip && mayZip) fields.push(['Accept-Encoding', 'gzip']);
  const close = transport.close && !wantsClose(header) && !isProtocolSwitch(header);
  return { target, host: hostHeader(request), fields, close };
}

/** The bytes of a request in HTTP/1.1. */
export function headText({ target, host, fields, close }: RequestHead): ByteString {
  const lines = [`GET ${target} HTTP/1.1`, `Host: ${host}`];
  for (const [name, value] of fields) lines.push(`${name}: ${value}`);
  if (close) lines.push('Connection: close');
  return `${lines.join('\r\n')}\r\n\r\n`;
}

function headerValue(value: ByteString): ByteString {
  return trim(value.replace(/[\r\n]/g, ' '));
}

const VALID_HOST = /^[0-9A-Za-z!$%&()*+,\-.:;=[\]'_~]*$/;

/** The host that a request names; empty when it is not one. Ports a part of Request.write (net/http/request.go). */
function hostHeader({ host, url }: HttpRequest): ByteString {
  const ascii = punycodeHostPort(host === '' ? url.host : host);
  return isValidHost(ascii) ? removeZone(ascii) : '';
}

/** Ports httpguts.ValidHostHeader (golang.org/x/net/http/httpguts/httplex.go). */
export function isValidHost(host: ByteString): boolean {
  return VALID_HOST.test(host);
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
  return getHeader(header, 'Upgrade') !== '' && hasToken(header.get('Connection') ?? [], 'upgrade');
}

/** Ports Request.wantsClose (net/http/request.go). */
function wantsClose(header: Header): boolean {
  return hasBoundedToken(getHeader(header, 'Connection'), 'close');
}

/** Ports Request.requiresHTTP1 (net/http/request.go). */
export function requiresHTTP1(header: Header): boolean {
  const isUpgrade = hasBoundedToken(getHeader(header, 'Connection'), 'upgrade');
  return isUpgrade && getHeader(header, 'Upgrade').toLowerCase() === 'websocket';
}

/** Ports hasToken (net/http/header.go), which takes blanks for commas. */
function hasBoundedToken(value: ByteString, token: string): boolean {
  return value
    .toLowerCase()
    .split(/[ ,\t]/)
    .includes(token);
}
