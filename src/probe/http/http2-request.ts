import { punycodeHostPort } from '../../go/addr.js';
import type { ByteString } from '../../go/byte-string.js';
import { getHeader, type Header } from '../../go/header.js';
import { quote } from '../../go/quote.js';
import { requestURI } from '../../go/url.js';
import type { HttpRequest } from '../../kubelet/prober/http-request.js';
import { IoError } from '../io-error.js';
import { isValidHost } from './request-head.js';

type Field = readonly [name: ByteString, value: ByteString];

/** What HTTP/2 has in other places, or not at all. */
const EXCLUDED = new Set([
  'Host',
  'Content-Length',
  'Connection',
  'Proxy-Connection',
  'Transfer-Encoding',
  'Upgrade',
  'Keep-Alive',
]);

/** The fields of a GET in HTTP/2. Ports EncodeHeaders (golang.org/x/net/internal/httpcommon/request.go). */
export function http2Fields({ url, header, host }: HttpRequest): Field[] {
  checkConnHeaders(header);
  const authority = punycodeHostPort(host === '' ? url.host : host);
  if (!isValidHost(authority)) throw new IoError('http2: invalid Host header');
  const path = requestURI(url);
  if (!path.startsWith('/') && path !== '*') {
    throw new IoError(`http2: invalid request :path ${quote(path)}`);
  }
  const fields: Field[] = [
    [':authority', authority],
    [':method', 'GET'],
    [':path', path],
    [':scheme', url.scheme],
  ];
  for (const [name, values] of header) {
    if (EXCLUDED.has(name)) continue;
    for (const value of sentValues(name, values)) fields.push([name.toLowerCase(), value]);
  }
  if (!header.has('User-Agent')) fields.push(['user-agent', 'Go-http-client/2.0']);
  return fields;
}

function sentValues(name: ByteString, values: readonly ByteString[]): readonly ByteString[] {
  if (name === 'User-Agent') return values[0] === '' ? [] : values.slice(0, 1);
  return name === 'Cookie' ? values.flatMap(cookieCrumbs) : values;
}

/** `a=b; c=d` as two fields. */
function cookieCrumbs(value: ByteString): ByteString[] {
  const crumbs: ByteString[] = [];
  let rest = value;
  for (let at = rest.indexOf(';'); at >= 0; at = rest.indexOf(';')) {
    crumbs.push(rest.slice(0, at));
    let next = at + 1;
    while (next + 1 <= rest.length && rest[next] === ' ') next++;
    rest = rest.slice(next);
  }
  return rest === '' ? crumbs : [...crumbs, rest];
}

/** Ports checkConnHeaders (golang.org/x/net/internal/httpcommon/request.go). */
function checkConnHeaders(header: Header): void {
  const upgrade = getHeader(header, 'Upgrade');
  if (upgrade !== '' && upgrade !== 'chunked') throw invalid(header, 'Upgrade');
  const encodings = header.get('Transfer-Encoding') ?? [];
  const [encoding = ''] = encodings;
  if (encodings.length > 1 || (encoding !== '' && encoding !== 'chunked')) {
    throw invalid(header, 'Transfer-Encoding');
  }
  const connections = header.get('Connection') ?? [];
  const connection = (connections[0] ?? '').toLowerCase();
  if (connections.length > 1 || !['', 'close', 'keep-alive'].includes(connection)) {
    throw invalid(header, 'Connection');
  }
}

function invalid(header: Header, name: ByteString): IoError {
  const values = (header.get(name) ?? []).map(quote).join(' ');
  return new IoError(`http2: invalid ${name} request header: [${values}]`);
}
