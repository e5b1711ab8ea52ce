/* Ported from net/http/transfer.go, with its names. */

import type { ByteString } from '../byte-string.js';
import { IoError } from '../io-error.js';
import { parseUint } from '../parse-int.js';
import { quote } from '../quote.js';
import {
  type BufioReader,
  EOF_ERROR,
  readMIMEHeader,
  type ReadResult,
  unexpectedEOF,
} from './bufio.js';
import { canonicalHeaderKey, type Header, trimBlanks } from './header.js';
import { hasToken } from './request.js';

/** A response's body, read like an io.Reader: the end is the error `EOF`. */
export interface Body {
  read(into: Uint8Array): Promise<ReadResult>;
}

export interface Transfer {
  readonly body: Body;
  /** Response.ContentLength: -1 where it is not known. */
  readonly contentLength: number;
}

export interface Head {
  readonly major: number;
  readonly minor: number;
  readonly statusCode: number;
  readonly header: Header;
}

/** Returns the body that follows a head. Ports readTransfer (net/http/transfer.go) for the response to a GET. */
export function readTransfer(head: Head, reader: BufioReader): Transfer {
  const chunked = isChunked(head);
  const contentLength = fixLength(head, chunked);
  if (chunked) checkTrailer(head.header);
  return { body: bodyOf(head, chunked, contentLength, reader), contentLength };
}

function bodyOf(head: Head, chunked: boolean, length: number, reader: BufioReader): Body {
  const mayHaveBody = bodyAllowedForStatus(head.statusCode);
  if (chunked) return mayHaveBody ? chunkedBody(reader) : NO_BODY;
  if (length > 0) return lengthBody(reader, length);
  return length < 0 && (mayHaveBody || shouldClose(head)) ? reader : NO_BODY;
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
    throw new IoError(
      () => `too many transfer encodings: [${raw.map(quote).join(' ')}]`,
      'badHTTP',
    );
  }
  if (encoding.toLowerCase() === 'chunked') return true;
  throw new IoError(() => `unsupported transfer encoding: ${quote(encoding)}`, 'badHTTP');
}

function fixLength({ header, statusCode }: Head, chunked: boolean): number {
  const lengths = header.get('Content-Length') ?? [];
  const first = trimBlanks(lengths[0] ?? '');
  if (lengths.some((each) => trimBlanks(each) !== first)) {
    const text = 'http: message cannot contain multiple Content-Length headers; got';
    throw new IoError(() => `${text} [${lengths.map(quote).join(' ')}]`, 'badHTTP');
  }
  const length = lengths.length > 0 ? parseContentLength(first) : -1;
  if (Math.trunc(statusCode / 100) === 1 || statusCode === 204 || statusCode === 304) return 0;
  return chunked ? -1 : length;
}

function parseContentLength(text: ByteString): number {
  if (text === '') throw new IoError('invalid empty Content-Length ""', 'badHTTP');
  const length = parseUint(text, 63);
  if (length === undefined) throw new IoError(() => `bad Content-Length ${quote(text)}`, 'badHTTP');
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
      throw new IoError(() => `bad trailer key ${quote(key)}`, 'badHTTP');
    }
  }
}

const NO_BODY: Body = { read: () => Promise.resolve({ size: 0, error: EOF_ERROR }) };

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

const MAX_EXCESS = 16 * 1024;

/** Returns a body that comes in chunks, with its trailer. Ports body.readLocked (net/http/transfer.go). */
export function chunkedBody(reader: BufioReader): Body {
  const chunks = new ChunkedReader(reader);
  let end: Error | undefined;
  return {
    async read(into) {
      if (end) return { size: 0, error: end };
      const result = await chunks.read(into);
      if (result.error !== EOF_ERROR) return result;
      end = (await readTrailer(reader)) ?? EOF_ERROR;
      return { size: result.size, error: end };
    },
  };
}

/** Ports chunkedReader (net/http/internal/chunked.go). */
class ChunkedReader {
  /** Unread bytes of this chunk. */
  #left = 0;
  #error: Error | undefined;
  /** The CRLF behind a chunk's data is still to be read. */
  #checkEnd = false;
  /** Bytes that were sent beside data, beyond what each chunk may have. */
  #excess = 0;

  constructor(private readonly reader: BufioReader) {}

  async read(into: Uint8Array): Promise<ReadResult> {
    let size = 0;
    while (this.#error === undefined) {
      if (this.#checkEnd) {
        // Return early with some data instead of waiting for more.
        if (size > 0 && this.reader.buffered.length < 2) break;
        this.#error = await this.#readChunkEnd();
        if (this.#error) break;
        this.#checkEnd = false;
      }
      if (this.#left === 0) {
        if (size > 0 && !this.reader.buffered.includes('\n')) break;
        this.#error = await this.#beginChunk();
        continue;
      }
      if (size === into.length) break;
      size += await this.#readData(into.subarray(size));
    }
    return this.#error ? { size, error: this.#error } : { size };
  }

  async #readData(into: Uint8Array): Promise<number> {
    const { size, error } = await this.reader.read(into.subarray(0, this.#left));
    this.#left -= size;
    if (this.#left === 0 && error === undefined) this.#checkEnd = true;
    this.#error = error && unexpectedEOF(error);
    return size;
  }

  async #readChunkEnd(): Promise<Error | undefined> {
    const { bytes, error } = await this.reader.peek(2);
    if (error) return unexpectedEOF(error);
    const isEnd = bytes.toString('latin1') === '\r\n';
    this.reader.discard(2);
    return isEnd ? undefined : new IoError('malformed chunked encoding', 'badHTTP');
  }

  async #beginChunk(): Promise<Error | undefined> {
    const line = await readChunkLine(this.reader);
    if (line instanceof Error) return line;
    const [digits = ''] = line.replace(/[ \t]+$/, '').split(';', 1);
    const length = parseHexUint(digits);
    if (length instanceof Error) return length;
    this.#left = length;
    // 16 bytes beside the data are granted to each chunk, and twice the data's size.
    this.#excess = Math.max(0, this.#excess + line.length + 2 - 16 - 2 * length);
    if (this.#excess > MAX_EXCESS) {
      return new IoError('chunked encoding contains too much non-data', 'badHTTP');
    }
    return length === 0 ? EOF_ERROR : undefined;
  }
}

/** Returns a chunk's header without its end. Ports readChunkLine (net/http/internal/chunked.go). */
async function readChunkLine(reader: BufioReader): Promise<string | Error> {
  const { bytes, error, isPrefix } = await reader.readSlice();
  if (isPrefix) return new IoError('header line too long', 'badHTTP');
  if (error) return unexpectedEOF(error);
  const line = bytes.toString('latin1');
  const end = line.indexOf('\r');
  if (end === -1) return new IoError('chunked line ends with bare LF', 'badHTTP');
  return end === line.length - 2
    ? line.slice(0, end)
    : new IoError('invalid CR in chunked line', 'badHTTP');
}

/** Ports parseHexUint (net/http/internal/chunked.go). */
function parseHexUint(digits: string): number | Error {
  if (digits === '') return new IoError('empty hex number for chunk length', 'badHTTP');
  const valid = /^[0-9a-fA-F]*/.exec(digits)?.[0].length ?? 0;
  if (valid > 16) return new IoError('http chunk length too large', 'badHTTP');
  if (valid < digits.length) return new IoError('invalid byte in chunk length', 'badHTTP');
  return Number.parseInt(digits, 16);
}

const TRAILER_EOF = 'http: unexpected EOF reading trailer';

/** Ports body.readTrailer (net/http/transfer.go). */
async function readTrailer(reader: BufioReader): Promise<Error | undefined> {
  const { bytes } = await reader.peek(2);
  if (bytes.length < 2) return new IoError(TRAILER_EOF, 'badHTTP');
  if (bytes.toString('latin1') === '\r\n') {
    reader.discard(2);
    return undefined;
  }
  if (!(await endsInBuffer(reader))) {
    return new IoError('http: suspiciously long trailer after chunked body', 'badHTTP');
  }
  try {
    await readMIMEHeader(reader);
    return undefined;
  } catch (error) {
    if (!(error instanceof IoError)) throw error;
    return error === EOF_ERROR ? new IoError(TRAILER_EOF, 'badHTTP') : error;
  }
}

/** Reports whether the trailer ends within the buffer. Ports seeUpcomingDoubleCRLF (net/http/transfer.go). */
async function endsInBuffer(reader: BufioReader): Promise<boolean> {
  for (let size = 4; ; size++) {
    const { bytes, error } = await reader.peek(size);
    if (bytes.subarray(-4).toString('latin1') === '\r\n\r\n') return true;
    if (error || bytes.length < size) return false;
  }
}
