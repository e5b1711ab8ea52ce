import type { Attempt } from '../attempt.js';
import { IoError } from '../io-error.js';
import { bodyOf } from './body.js';
import { BufioReader, type Read } from './bufio.js';
import type { HttpResponse } from './http-response.js';
import { isProtocolSwitch } from './request-head.js';
import { readResponseHead, type ResponseHead } from './response-head.js';
import { readTransfer, type Transfer } from './transfer.js';

/** http.Transport's MaxResponseHeaderBytes when unset. */
const MAX_HEADER_BYTES = 10 << 20;

/** A connection as far as a response is read from it. */
export interface ResponseSource {
  read(into: Uint8Array): number | Promise<number>;
  /** Why the request could not be written. */
  readonly writeFailure: IoError | undefined;
  close(): void;
}

/** Reads a response as Go does, up to its body. Ports persistConn.readLoop (net/http/transport.go). */
export async function readResponse(
  attempt: Attempt,
  source: ResponseSource,
): Promise<HttpResponse> {
  const limited = new LimitedReader((into) => source.read(into));
  const reader = new BufioReader((into) => limited.read(into));
  const first = await reader.peek(1);
  if (first.error) throw source.writeFailure ?? first.error;
  attempt.reached('firstByte');
  const response = await readFinalHead(reader, limited);
  limited.unlimit();
  attempt.responses.push(headText(response));
  const { statusCode, header, framing, contentLength } = response;
  const body = statusCode === 101 && isProtocolSwitch(header) ? reader : bodyOf(framing, reader);
  return { statusCode, header, contentLength, body, close: () => source.close() };
}

/** The first head that is not an interim one's. Ports persistConn.readResponse (net/http/transport.go). */
async function readFinalHead(
  reader: BufioReader,
  limited: LimitedReader,
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
    const { isExhausted } = limited;
    const why = (): string =>
      isExhausted
        ? `net/http: server response headers exceeded ${MAX_HEADER_BYTES} bytes; aborted`
        : error.message;
    throw new IoError(() => `net/http: HTTP/1.x transport connection broken: ${why()}`);
  }
}

function headText({ proto, status, header }: ResponseHead): string {
  const lines = [`${proto} ${status}`];
  for (const [name, values] of header) for (const value of values) lines.push(`${name}: ${value}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Ends a head that is too long. Ports persistConn.Read (net/http/transport.go). */
class LimitedReader {
  readonly #read: Read;
  #left = MAX_HEADER_BYTES;

  constructor(read: Read) {
    this.#read = read;
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
    const read = this.#read(limited);
    if (typeof read === 'number') return this.#count(read);
    return read.then((size) => this.#count(size));
  }

  #count(size: number): number {
    this.#left -= size;
    return size;
  }
}
