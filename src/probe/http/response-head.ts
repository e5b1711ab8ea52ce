import type { ByteString } from '../../go/byte-string.js';
import type { Header } from '../../go/header.js';
import { atoi, parseUint } from '../../go/parse-int.js';
import { quote } from '../../go/quote.js';
import { IoError } from '../io-error.js';
import { type BufioReader, EOF_ERROR, UNEXPECTED_EOF_ERROR } from './bufio.js';
import { readLine, readMIMEHeader } from './mime-header.js';

export interface ResponseHead {
  /** `HTTP/1.1` */
  readonly proto: ByteString;
  readonly major: number;
  readonly minor: number;
  /** `200 OK` */
  readonly status: ByteString;
  readonly statusCode: number;
  readonly header: Header;
}

/** Ports ReadResponse (net/http/response.go) up to the body. */
export async function readResponseHead(reader: BufioReader): Promise<ResponseHead> {
  try {
    const line = parseStatusLine(await readLine(reader));
    return { ...line, header: await readMIMEHeader(reader) };
  } catch (error) {
    throw error === EOF_ERROR ? UNEXPECTED_EOF_ERROR : error;
  }
}

/** Ports badStringError (net/http/request.go). The value may be megabytes of anything, and its quote nobody's wish. */
export function badString(what: string, value: ByteString): IoError {
  return new IoError(() => `${what} ${quote(value)}`);
}

function parseStatusLine(line: ByteString): Omit<ResponseHead, 'header'> {
  const space = line.indexOf(' ');
  if (space === -1) throw badString('malformed HTTP response', line);
  const proto = line.slice(0, space);
  const status = line.slice(space + 1).replace(/^ +/, '');
  const [digits = ''] = status.split(' ', 1);
  const statusCode = digits.length === 3 ? atoi(digits) : undefined;
  if (!statusCode?.ok || statusCode.value < 0) {
    throw badString('malformed HTTP status code', digits);
  }
  const version = parseHTTPVersion(proto);
  if (!version) throw badString('malformed HTTP version', proto);
  return { proto, ...version, status, statusCode: statusCode.value };
}

/** Ports ParseHTTPVersion (net/http/request.go). */
function parseHTTPVersion(proto: ByteString): { major: number; minor: number } | undefined {
  if (!proto.startsWith('HTTP/') || proto.length !== 'HTTP/X.Y'.length || proto[6] !== '.') {
    return undefined;
  }
  const major = parseUint(proto.charAt(5), 64);
  const minor = parseUint(proto.charAt(7), 64);
  return major === undefined || minor === undefined ? undefined : { major, minor };
}
