import { constants } from 'node:http2';

import { punycodeHostPort } from '../../go/addr.js';
import { type ByteString, toText } from '../../go/byte-string.js';
import { EOF_ERROR, type ReadResult, UNEXPECTED_EOF_ERROR } from '../../go/http/bufio.js';
import { getHeader, type Header, headerOf } from '../../go/http/header.js';
import { type HttpRequest, isValidHost } from '../../go/http/request.js';
import type { Body } from '../../go/http/transfer.js';
import { IoError } from '../../go/io-error.js';
import { atoi, parseUint } from '../../go/parse-int.js';
import { quote } from '../../go/quote.js';
import { requestURI } from '../../go/url.js';
import type { Attempt } from '../attempt.js';
import { H2Connection } from '../h2/connection.js';
import { errorName, type Fields, type H2Stream, type StreamEnd } from '../h2/stream.js';
import type { Conn } from '../net/conn.js';
import { type HttpResponse, RetryOnNewConn } from './http-response.js';

/** Ports the settings of newClientConn (golang.org/x/net/http2/transport.go). */
const SETTINGS = { enablePush: false, initialWindowSize: 4 << 20, maxHeaderListSize: 10 << 20 };

/** Ports ClientConn.RoundTrip (golang.org/x/net/http2/transport.go) on a connection of its own. */
export async function roundTripHTTP2(
  attempt: Attempt,
  request: HttpRequest,
  conn: Conn,
): Promise<HttpResponse> {
  const fields = http2Fields(request);
  attempt.requests.push(textOf(fields));
  const connection = new H2Connection(attempt, conn, SETTINGS);
  const close = (): void => connection.close();
  try {
    const stream = connection.request(fields);
    const { fields: got, endStream } = await responseHeaders(stream);
    attempt.reached('firstByte');
    const header = headerOf(got.filter(([name]) => !name.startsWith(':')));
    const status = atoi(got.find(([name]) => name === ':status')?.[1] ?? '');
    const statusCode = status.ok ? status.value : 0;
    const lines = [...header].flatMap(([name, values]) =>
      values.map((value) => [name, value] as const),
    );
    attempt.responses.push(`HTTP/2.0 ${statusCode}\r\n${textOf(lines)}`);
    const length = parseUint(getHeader(header, 'Content-Length'), 63);
    const contentLength = length ?? (endStream ? 0 : -1);
    return { statusCode, header, contentLength, body: bodyOf(stream, contentLength), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Ports handleResponse, as far as it limits the size of all 1xx headers (golang.org/x/net/http2/transport.go). */
async function responseHeaders(stream: H2Stream): Promise<{ fields: Fields; endStream: boolean }> {
  let interimSize = 0;
  for (;;) {
    const event = await stream.next();
    if (event.kind === 'end') throw headError(event.end);
    if (event.kind !== 'headers') continue;
    const isInterim = event.fields.some(
      ([name, value]) => name === ':status' && value.startsWith('1'),
    );
    if (!isInterim) return event;
    for (const [name, value] of event.fields) interimSize += name.length + value.length + 32;
    if (interimSize > SETTINGS.maxHeaderListSize) {
      throw new IoError('stream error: stream ID 1; PROTOCOL_ERROR; header list too large');
    }
  }
}

function textOf(fields: Fields): string {
  return `${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

/** Ports canRetryError (golang.org/x/net/http2/transport.go). */
function headError(end: StreamEnd): IoError {
  const error = endError(end);
  const { NGHTTP2_REFUSED_STREAM, NGHTTP2_PROTOCOL_ERROR } = constants;
  const mayRetry =
    (end.kind === 'goAway' && end.goAway.code === 0) ||
    (end.kind === 'reset' && [NGHTTP2_REFUSED_STREAM, NGHTTP2_PROTOCOL_ERROR].includes(end.code));
  return mayRetry ? new RetryOnNewConn(error.message, error.reason) : error;
}

function endError(end: StreamEnd): IoError {
  switch (end.kind) {
    case 'complete':
      return EOF_ERROR;
    case 'reset':
      return new IoError(`stream error: stream ID 1; ${errorName(end.code)}; received from peer`);
    case 'malformed':
      return new IoError(
        end.what === 'connection'
          ? 'connection error: PROTOCOL_ERROR'
          : 'stream error: stream ID 1; PROTOCOL_ERROR',
      );
    case 'goAway': {
      if (end.goAway.code === 0) {
        return new IoError("http2: Transport received Server's graceful shutdown GOAWAY");
      }
      const code = errorName(end.goAway.code);
      return new IoError(`http2: Transport received GOAWAY from server ErrCode:${code}`);
    }
    case 'lost':
      return lostError(end);
  }
}

/** Ports cleanup of clientConnReadLoop and GoAwayError.Error (golang.org/x/net/http2/transport.go). */
function lostError({ error, goAway }: StreamEnd & { kind: 'lost' }): IoError {
  const isReadError = error === EOF_ERROR || error.reason === 'reset' || error.reason === 'timeout';
  if (goAway && isReadError) {
    const { lastStreamID, code, debug } = goAway;
    const shown = toText(quote(debug.toString('latin1')));
    return new IoError(
      `http2: server sent GOAWAY and closed the connection; LastStreamID=${lastStreamID}, ErrCode=${errorName(code)}, debug=${shown}`,
    );
  }
  return error === EOF_ERROR ? UNEXPECTED_EOF_ERROR : error;
}

/** Ports transportResponseBody.Read (golang.org/x/net/http2/transport.go). */
function bodyOf(stream: H2Stream, contentLength: number): Body {
  let rest: Buffer = Buffer.alloc(0);
  let left = contentLength;
  return {
    async read(into): Promise<ReadResult> {
      while (rest.length === 0) {
        const event = await stream.next();
        if (event.kind === 'data') rest = event.data;
        if (event.kind !== 'end') continue;
        const error = endError(event.end);
        return { size: 0, error: error === EOF_ERROR && left > 0 ? UNEXPECTED_EOF_ERROR : error };
      }
      const size = rest.copy(into);
      rest = rest.subarray(size);
      left -= size;
      return { size };
    },
  };
}

/** Headers that HTTP/2 has in other places, or not at all. */
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
function http2Fields({ url, header, host }: HttpRequest): Fields {
  checkConnHeaders(header);
  const authority = punycodeHostPort(host === '' ? url.host : host);
  if (!isValidHost(authority)) throw new IoError('http2: invalid Host header');
  const path = requestURI(url);
  if (!path.startsWith('/') && path !== '*') {
    throw new IoError(`http2: invalid request :path ${quote(path)}`);
  }
  const fields: [ByteString, ByteString][] = [
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
  const crumbs = value.split(/; */);
  return crumbs.at(-1) === '' ? crumbs.slice(0, -1) : crumbs;
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
