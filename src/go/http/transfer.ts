/* Ported from net/http/transfer.go, with its names. */

import type { ByteString } from '../byte-string.js';
import { IoError } from '../io-error.js';
import { parseUint } from '../parse-int.js';
import { quote } from '../quote.js';
import { type BufioReader, EOF_ERROR, type ReadResult, unexpectedEOF } from './bufio.js';
import { chunkedBody } from './chunked.js';
import { canonicalHeaderKey, type Header, trimBlanks } from './header.js';
import { hasToken } from './request.js';

/** A response's body, read like an io.Reader: the end is the error `EOF`. */
export interface Body {
  read(into: Uint8Array): Promise<ReadResult>;
}

/** The delimitation of a body: none, a length, chunks, or the connection's end. */
type Framing =
  | { readonly kind: 'none' | 'chunked' | 'untilClose' }
  | { readonly kind: 'length'; readonly length: number };

export interface Transfer {
  readonly framing: Framing;
  /** Response.ContentLength: -1 where it is not known. */
  readonly contentLength: number;
}

interface Head {
  readonly major: number;
  readonly minor: number;
  readonly statusCode: number;
  readonly header: Header;
}

/** Ports readTransfer (net/http/transfer.go) for the response to a GET. */
export function readTransfer(head: Head): Transfer {
  const chunked = isChunked(head);
  const contentLength = fixLength(head, chunked);
  if (chunked) checkTrailer(head.header);
  return { framing: framingOf(head, chunked, contentLength), contentLength };
}

function framingOf(head: Head, chunked: boolean, length: number): Framing {
  const mayHaveBody = bodyAllowedForStatus(head.statusCode);
  if (chunked) return { kind: mayHaveBody ? 'chunked' : 'none' };
  if (length > 0) return { kind: 'length', length };
  return { kind: length < 0 && (mayHaveBody || shouldClose(head)) ? 'untilClose' : 'none' };
}

function bodyAllowedForStatus(status: number): boolean {
  return !(status >= 100 && status <= 199) && status !== 204 && status !== 304;
}

/** Ports parseTransferEncoding (net/http/transfer.go). HTTP/0.0 counts as 1.1. */
function isChunked({ header, major, minor }: Head): boolean {
  const raw = header.get('Transfer-Encoding');
  const isAtLeast11 = major > 1 || (major === 1 && minor >= 1) || (major === 0 && minor === 0);
  if (!raw || !isAtLeast11) return false;
  const [encoding = '', ...more] = raw;
  if (more.length > 0) {
    throw new IoError(() => `too many transfer encodings: [${raw.map(quote).join(' ')}]`);
  }
  if (encoding.toLowerCase() === 'chunked') return true;
  throw new IoError(() => `unsupported transfer encoding: ${quote(encoding)}`);
}

function fixLength({ header, statusCode }: Head, chunked: boolean): number {
  const lengths = header.get('Content-Length') ?? [];
  const first = trimBlanks(lengths[0] ?? '');
  if (lengths.some((each) => trimBlanks(each) !== first)) {
    const text = 'http: message cannot contain multiple Content-Length headers; got';
    throw new IoError(() => `${text} [${lengths.map(quote).join(' ')}]`);
  }
  const length = lengths.length > 0 ? parseContentLength(first) : -1;
  if (Math.trunc(statusCode / 100) === 1 || statusCode === 204 || statusCode === 304) return 0;
  return chunked ? -1 : length;
}

function parseContentLength(text: ByteString): number {
  if (text === '') throw new IoError('invalid empty Content-Length ""');
  const length = parseUint(text, 63);
  if (length === undefined) throw new IoError(() => `bad Content-Length ${quote(text)}`);
  return length;
}

function shouldClose({ header, major, minor }: Head): boolean {
  if (major < 1 || hasToken(header, 'Connection', 'close')) return true;
  return major === 1 && minor === 0 && !hasToken(header, 'Connection', 'keep-alive');
}

/** Ports fixTrailer (net/http/transfer.go). */
function checkTrailer(header: Header): void {
  const names = (header.get('Trailer') ?? []).flatMap((value) => value.split(','));
  for (const name of names) {
    const key = canonicalHeaderKey(trimBlanks(name));
    if (key === 'Transfer-Encoding' || key === 'Trailer' || key === 'Content-Length') {
      throw new IoError(() => `bad trailer key ${quote(key)}`);
    }
  }
}

const NO_BODY: Body = { read: () => Promise.resolve({ size: 0, error: EOF_ERROR }) };

/** Returns the body that follows a head. Ports body (net/http/transfer.go). */
export function bodyOf(framing: Framing, reader: BufioReader): Body {
  switch (framing.kind) {
    case 'none':
      return NO_BODY;
    case 'length':
      return lengthBody(reader, framing.length);
    case 'chunked':
      return chunkedBody(reader);
    case 'untilClose':
      return reader;
  }
}

function lengthBody(reader: BufioReader, length: number): Body {
  let left = length;
  return {
    async read(into) {
      if (left === 0) return { size: 0, error: EOF_ERROR };
      const { size, error } = await reader.read(into.subarray(0, left));
      left -= size;
      if (left === 0) return { size, error: EOF_ERROR };
      return error ? { size, error: unexpectedEOF(error) } : { size };
    },
  };
}
