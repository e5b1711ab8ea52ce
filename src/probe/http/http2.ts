import type { HttpRequest } from '../../kubelet/prober/http-request.js';
import type { Attempt } from '../attempt.js';
import { Http2Stream } from '../h2/client-stream.js';
import { errorCode, FROM_PEER, StreamError } from '../h2/error-code.js';
import { GracefulGoAway } from '../h2/go-away.js';
import { IoError } from '../io-error.js';
import type { Conn } from '../net/conn.js';
import type { Body } from './body.js';
import { NO_BODY } from './body.js';
import { EOF_ERROR, UNEXPECTED_EOF_ERROR } from './bufio.js';
import type { HttpResponse } from './http-response.js';
import { http2Fields } from './http2-request.js';
import { RetryOnNewConn } from './retry.js';

/** Ports ClientConn.RoundTrip (golang.org/x/net/http2/transport.go) on a connection of its own. */
export async function roundTripHTTP2(
  attempt: Attempt,
  request: HttpRequest,
  conn: Conn,
): Promise<HttpResponse> {
  const fields = http2Fields(request);
  attempt.requests.push(textOf(fields));
  const stream = new Http2Stream(conn, fields);
  try {
    const response = await stream.readHead(() => attempt.reached('firstByte'));
    const { statusCode, header, contentLength, ended } = response;
    const lines = [...header].flatMap(([name, values]) =>
      values.map((value) => [name, value] as const),
    );
    attempt.responses.push(`HTTP/2.0 ${statusCode}\r\n${textOf(lines)}`);
    const body = ended ? endedBody(contentLength) : bodyOf(stream, contentLength);
    return { statusCode, header, contentLength, body, close: () => conn.close() };
  } catch (error) {
    conn.close();
    throw mayRetry(error) ? new RetryOnNewConn(error.message) : error;
  }
}

function textOf(fields: Iterable<readonly [string, string]>): string {
  return `${Array.from(fields, ([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

/** Ports canRetryError (golang.org/x/net/http2/transport.go). */
function mayRetry(error: unknown): error is IoError {
  if (error instanceof GracefulGoAway) return true;
  if (!(error instanceof StreamError)) return false;
  if (error.code === errorCode('REFUSED_STREAM')) return true;
  return error.code === errorCode('PROTOCOL_ERROR') && error.why === FROM_PEER;
}

function endedBody(contentLength: number): Body {
  if (contentLength <= 0) return NO_BODY;
  return { read: () => Promise.resolve({ size: 0, error: UNEXPECTED_EOF_ERROR }) };
}

const TOO_MUCH = 'net/http: server replied with more than declared Content-Length; truncated';

/** Ports transportResponseBody.Read (golang.org/x/net/http2/transport.go). */
function bodyOf(stream: Http2Stream, contentLength: number): Body {
  let left = contentLength === -1 ? Infinity : contentLength;
  return {
    async read(into) {
      const { size, error } = await stream.read(into);
      if (size > left) return { size: left, error: new IoError(TOO_MUCH) };
      left -= size;
      if (error === undefined) return { size };
      const isShort = error === EOF_ERROR && left > 0 && left !== Infinity;
      return { size, error: isShort ? UNEXPECTED_EOF_ERROR : error };
    },
  };
}
