import type { ByteString } from '../byte-string.js';
import { IoError, type IoReason } from '../io-error.js';
import { atoi, parseUint } from '../parse-int.js';
import { badString, type BufioReader, readLine, readMIMEHeader, unexpectedEOF } from './bufio.js';
import { isProtocolSwitch } from './request.js';
import { type Head, readTransfer, type Transfer } from './transfer.js';

/** http.Transport's MaxResponseHeaderBytes when unset. */
export const MAX_HEADER_BYTES = 10 << 20;

export interface ResponseHead extends Head {
  /** `HTTP/1.1` */
  readonly proto: ByteString;
  /** `200 OK` */
  readonly status: ByteString;
}

/** The part of http.Response that kprobe uses. */
export interface Response extends ResponseHead, Transfer {}

/** Reads a response up to its body, and lifts the reader's limit. Ports persistConn.readResponse (net/http/transport.go). */
export async function readResponse(reader: BufioReader): Promise<Response> {
  try {
    const response = await readFinalHead(reader);
    const isRaw = response.statusCode === 101 && isProtocolSwitch(response.header);
    return isRaw ? { ...response, body: reader } : response;
  } catch (error) {
    if (!(error instanceof IoError)) throw error;
    const isTooLong = reader.limit <= 0;
    const cause = (): string =>
      isTooLong
        ? `net/http: server response headers exceeded ${MAX_HEADER_BYTES} bytes; aborted`
        : error.message;
    throw new IoError(
      () => `net/http: HTTP/1.x transport connection broken: ${cause()}`,
      isTooLong ? undefined : error.reason,
    );
  } finally {
    reader.limit = Infinity;
  }
}

/** Reads the first head that is not an interim response's, such as `100 Continue`. */
async function readFinalHead(reader: BufioReader): Promise<Response> {
  for (;;) {
    const head = await readHead(reader);
    const transfer = readTransfer(head, reader);
    const { statusCode } = head;
    const isInterim = statusCode >= 100 && statusCode <= 199 && statusCode !== 101;
    if (!isInterim) return { ...head, ...transfer };
  }
}

/** Ports ReadResponse (net/http/response.go) up to the body. */
async function readHead(reader: BufioReader): Promise<ResponseHead> {
  try {
    const line = parseStatusLine(await readLine(reader));
    return { ...line, header: await readMIMEHeader(reader) };
  } catch (error) {
    throw error instanceof IoError ? unexpectedEOF(error) : error;
  }
}

/** Recognizes a TLS alert, the frame of HTTP/2's settings, and a status line of HTTP. */
function protocolOf(line: ByteString): IoReason {
  if (line.startsWith('\x15\x03')) return 'speaksTLS';
  if (line.startsWith('HTTP/')) return 'badHTTP';
  return line.startsWith('\0\0') ? 'speaksHTTP2' : 'notHTTP';
}

function parseStatusLine(line: ByteString): Omit<ResponseHead, 'header'> {
  const space = line.indexOf(' ');
  if (space === -1) throw badString('malformed HTTP response', line, protocolOf(line));
  const proto = line.slice(0, space);
  const status = line.slice(space + 1).replace(/^ +/, '');
  const [digits = ''] = status.split(' ', 1);
  const statusCode = digits.length === 3 ? atoi(digits) : undefined;
  if (!statusCode?.ok || statusCode.value < 0) {
    throw badString('malformed HTTP status code', digits, protocolOf(line));
  }
  // Ports ParseHTTPVersion (net/http/request.go).
  const isVersion = /^HTTP\/.\..$/s.test(proto);
  const major = isVersion ? parseUint(proto.charAt(5), 64) : undefined;
  const minor = isVersion ? parseUint(proto.charAt(7), 64) : undefined;
  if (major === undefined || minor === undefined) {
    throw badString('malformed HTTP version', proto, protocolOf(line));
  }
  return { proto, major, minor, status, statusCode: statusCode.value };
}
