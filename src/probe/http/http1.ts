import { getHeader } from '../../go/header.js';
import type { HttpRequest } from '../../kubelet/prober/http-request.js';
import type { Attempt } from '../attempt.js';
import { IoError } from '../io-error.js';
import type { Conn } from '../net/conn.js';
import { bodyOf } from './body.js';
import { BufioReader } from './bufio.js';
import { isProtocolSwitch, requestHead, wantsClose } from './request-head.js';
import { readResponseHead, type ResponseHead } from './response-head.js';
import type { HttpResponse, HttpTransport } from './round-trip.js';
import { readTransfer, type Transfer } from './transfer.js';

/** http.Transport's MaxResponseHeaderBytes when unset. */
const MAX_HEADER_BYTES = 10 << 20;

/** Ports persistConn.roundTrip (net/http/transport.go) on a fresh connection. */
export async function roundTripHTTP1(
  attempt: Attempt,
  transport: HttpTransport,
  request: HttpRequest,
  conn: Conn,
): Promise<HttpResponse> {
  const head = requestHead(request, extraHeaders(transport, request));
  attempt.requests.push(head);
  conn.write(head);
  const limited = new LimitedConn(conn);
  const reader = new BufioReader((into) => limited.read(into));
  const first = await reader.peek(1);
  if (first.error) throw conn.writeFailure ?? first.error;
  attempt.reached('firstByte');
  const response = await readResponse(reader, limited);
  limited.unlimit();
  attempt.responses.push(headText(response));
  const { statusCode, header, framing, contentLength } = response;
  const body = statusCode === 101 && isProtocolSwitch(header) ? reader : bodyOf(framing, reader);
  return { statusCode, header, contentLength, body, close: () => conn.close() };
}

function extraHeaders(
  transport: HttpTransport,
  { header }: HttpRequest,
): (readonly [string, string])[] {
  const extra: (readonly [string, string])[] = [];
  const mayZip = getHeader(header, 'Accept-Encoding') === '' && getHeader(header, 'Range') === '';
  if (transport.gzip && mayZip) extra.push(['Accept-Encoding', 'gzip']);
  if (transport.close && !wantsClose(header) && !isProtocolSwitch(header)) {
    extra.push(['Connection', 'close']);
  }
  return extra;
}

/** The first response that is not an interim one. Ports persistConn.readResponse (net/http/transport.go). */
async function readResponse(
  reader: BufioReader,
  limited: LimitedConn,
): Promise<ResponseHead & Transfer> {
  try {
    for (;;) {
      const head = await readResponseHead(reader);
      const transfer = readTransfer(head);
      const { statusCode } = head;
      const isInterim = statusCode >= 100 && statusCode <= 199 && statusCode !== 101;
      if (!isInterim) return { ...head, ...transfer };
    }
  } catch (error) {
    if (!(error instanceof IoError)) throw error;
    const why = limited.isExhausted
      ? `net/http: server response headers exceeded ${MAX_HEADER_BYTES} bytes; aborted`
      : error.message;
    throw new IoError(`net/http: HTTP/1.x transport connection broken: ${why}`);
  }
}

function headText({ proto, status, header }: ResponseHead): string {
  const lines = [`${proto} ${status}`];
  for (const [name, values] of header) for (const value of values) lines.push(`${name}: ${value}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Ends a head that is too long. Ports persistConn.Read (net/http/transport.go). */
class LimitedConn {
  readonly #conn: Conn;
  #left = MAX_HEADER_BYTES;

  constructor(conn: Conn) {
    this.#conn = conn;
  }

  get isExhausted(): boolean {
    return this.#left <= 0;
  }

  unlimit(): void {
    this.#left = Infinity;
  }

  read(into: Uint8Array): number | Promise<number> {
    if (this.isExhausted) {
      throw new IoError(`read limit of ${MAX_HEADER_BYTES} bytes exhausted`);
    }
    const limited = into.length > this.#left ? into.subarray(0, this.#left) : into;
    const read = this.#conn.read(limited);
    if (typeof read === 'number') return this.#count(read);
    return read.then((size) => this.#count(size));
  }

  #count(size: number): number {
    this.#left -= size;
    return size;
  }
}
