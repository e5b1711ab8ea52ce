import Client from 'undici/lib/dispatcher/client.js';

import type { Attempt } from '../../attempt.js';
import type { Conn } from '../../net/conn.js';
import type { HttpResponse } from '../http-response.js';
import { readResponse } from '../read-response.js';
import type { RequestHead } from '../request-head.js';
import { Answer } from './answer.js';
import { TappedConn } from './tapped-conn.js';
import type { UndiciSocket } from './undici-socket.js';

/** It names no host: the connection is there, and each request brings its Host header. */
const ORIGIN = new URL('http://localhost');

/** Made once: an error is dear. */
const CLOSED = new Error('the connection is closed');

/** What undici reads of headers; longer ones are left to the other reader, which takes 10 MiB as Go does. */
const MAX_HEADER_SIZE = 16 * 1024;

/**
 * Makes a request through undici. What it refuses to read, or reads otherwise than Go, is read again: an attempt is
 * one request on the wire.
 */
export async function roundTripUndici(
  attempt: Attempt,
  head: RequestHead,
  conn: Conn,
): Promise<HttpResponse> {
  const tapped = new TappedConn(conn, () => attempt.reached('firstByte'));
  attempt.deadline.onEnd(() => tapped.endStream());
  const answer = new Answer(tapped);
  const headers = ['Host', head.host, ...head.fields.flat()];
  clientOver(tapped.stream).dispatch({ method: 'GET', path: head.target, headers }, answer);
  const read = await answer.head;
  attempt.requests.push(tapped.sent);
  if (!read) return readResponse(attempt, tapped);
  attempt.responses.push(read.raw);
  const { statusCode, header } = read;
  const contentLength = Number(header.get('Content-Length')?.[0] ?? -1);
  return { statusCode, header, contentLength, body: answer, close: () => tapped.close() };
}

type OnConnected = (error: Error | null, socket: UndiciSocket | null) => void;

function clientOver(socket: UndiciSocket): Client {
  const connected = (callback: OnConnected): void => {
    if (socket.destroyed) callback(CLOSED, null);
    else callback(null, socket);
  };
  return new Client(ORIGIN, {
    // It does not expect to be called back at once.
    connect: (_options, callback) =>
      queueMicrotask(() => connected(callback as unknown as OnConnected)),
    // Asks for the connection's end.
    pipelining: 0,
    // The attempt has a deadline of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: MAX_HEADER_SIZE,
  });
}
