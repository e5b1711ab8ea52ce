import type { ByteString } from '../byte-string.js';
import { IoError, type IoReason } from '../io-error.js';
import { quote } from '../quote.js';
import { addHeader, canonicalHeaderKey, type Header, trimBlanks } from './header.js';

/** Fills a buffer from a connection: the number of bytes that came, 0 at the end. It throws an IoError when the connection breaks. */
export type Read = (into: Uint8Array) => number | Promise<number>;

/** Part of the result of a probe: it limits chunk headers and trailers. */
const BUFFER_SIZE = 4096;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** The result of a Go Read: bytes, and perhaps with them the error that ends the stream. */
export interface ReadResult {
  readonly size: number;
  /** The end of the stream is the error `EOF`. */
  readonly error?: Error;
}

export const EOF_ERROR = new IoError('EOF', 'closed');
export const UNEXPECTED_EOF_ERROR = new IoError('unexpected EOF', 'closed');

/** Returns the error of a stream that ends where more was due. */
export function unexpectedEOF(error: Error): Error {
  return error === EOF_ERROR ? UNEXPECTED_EOF_ERROR : error;
}

interface Bytes {
  readonly bytes: Buffer;
  readonly error?: Error;
}

interface Line extends Bytes {
  /** The buffer was full before the line's end. */
  readonly isPrefix: boolean;
}

/** Ports bufio.Reader (bufio/bufio.go). Returned bytes are valid until the next read. */
export class BufioReader {
  readonly #buffer = Buffer.allocUnsafe(BUFFER_SIZE);
  #start = 0;
  #end = 0;
  #error: Error | undefined;

  /** `limit`: bytes that may still be read from the source. */
  constructor(
    private readonly source: Read,
    public limit = Infinity,
  ) {}

  /** Bytes that were read ahead. */
  get buffered(): Buffer {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  /** Returns the next bytes without consuming them; fewer, with an error, when the stream ends before. */
  async peek(size: number): Promise<Bytes> {
    while (this.#end - this.#start < Math.min(size, BUFFER_SIZE) && !this.#error) {
      await this.#fill();
    }
    const bytes = this.buffered.subarray(0, size);
    const error = bytes.length < size ? this.#takeError() : undefined;
    return error ? { bytes, error } : { bytes };
  }

  discard(size: number): void {
    this.#start += size;
  }

  async read(into: Uint8Array): Promise<ReadResult> {
    if (this.#start === this.#end) {
      if (this.#error) return { size: 0, error: this.#takeError() ?? EOF_ERROR };
      if (into.length >= BUFFER_SIZE) return this.#readSource(into);
      const { size, error } = await this.#readSource(this.#buffer);
      if (error) return { size: 0, error };
      this.#start = 0;
      this.#end = size;
    }
    const bytes = this.buffered.subarray(0, into.length);
    into.set(bytes);
    this.#start += bytes.length;
    return { size: bytes.length };
  }

  /** Reads through the next newline; without one when the stream ends or the buffer is full. */
  async readSlice(): Promise<Line> {
    for (let searched = 0; ;) {
      const newline = this.#buffer.subarray(0, this.#end).indexOf(NEWLINE, this.#start + searched);
      if (newline >= 0) return { bytes: this.#take(newline + 1), isPrefix: false };
      const error = this.#takeError();
      if (error) return { bytes: this.#take(this.#end), isPrefix: false, error };
      searched = this.#end - this.#start;
      if (searched >= BUFFER_SIZE) return { bytes: this.#take(this.#end), isPrefix: true };
      await this.#fill();
    }
  }

  /** Reads a line without its end; an error comes only where no bytes came before it. */
  async readLine(): Promise<Line> {
    const { bytes, error, isPrefix } = await this.readSlice();
    if (isPrefix) {
      // A "\r\n" may straddle the buffer's end.
      const cut = bytes.at(-1) === RETURN ? 1 : 0;
      this.#start -= cut;
      return { bytes: bytes.subarray(0, bytes.length - cut), isPrefix };
    }
    if (bytes.length === 0) return { bytes, isPrefix, error: error ?? EOF_ERROR };
    if (bytes.at(-1) !== NEWLINE) return { bytes, isPrefix };
    return { bytes: bytes.subarray(0, bytes.at(-2) === RETURN ? -2 : -1), isPrefix };
  }

  #take(end: number): Buffer {
    const bytes = this.#buffer.subarray(this.#start, end);
    this.#start = end;
    return bytes;
  }

  async #fill(): Promise<void> {
    this.#buffer.copyWithin(0, this.#start, this.#end);
    this.#end -= this.#start;
    this.#start = 0;
    const { size, error } = await this.#readSource(this.#buffer.subarray(this.#end));
    this.#end += size;
    this.#error = error;
  }

  async #readSource(into: Uint8Array): Promise<ReadResult> {
    try {
      if (this.limit <= 0) throw new IoError('read limit exhausted');
      const size = await this.source(into.subarray(0, this.limit));
      this.limit -= size;
      return size === 0 ? { size, error: EOF_ERROR } : { size };
    } catch (error) {
      if (error instanceof IoError) return { size: 0, error };
      throw error;
    }
  }

  #takeError(): Error | undefined {
    const error = this.#error;
    this.#error = undefined;
    return error;
  }
}

/** Ports badStringError (net/http/request.go). The value may have megabytes: it is quoted only when the text is used. */
export function badString(problem: string, value: ByteString, reason?: IoReason): IoError {
  return new IoError(() => `${problem} ${quote(value)}`, reason);
}

/** Ports Reader.readLineSlice (net/textproto/reader.go). */
export async function readLine(reader: BufioReader, limit = Infinity): Promise<ByteString> {
  let line = '';
  for (;;) {
    const { bytes, error, isPrefix } = await reader.readLine();
    if (error) throw error;
    if (line.length + bytes.length > limit) throw new IoError('message too large');
    line += bytes.toString('latin1');
    if (!isPrefix) return line;
  }
}

/** Bytes of a malformed first line that are read at all. */
const ERROR_LIMIT = 80;

/** Ports Reader.ReadMIMEHeader (net/textproto/reader.go). */
export async function readMIMEHeader(reader: BufioReader): Promise<Header> {
  if (await startsWithBlank(reader)) {
    const line = await readLine(reader, ERROR_LIMIT);
    throw new IoError(`malformed MIME header initial line: ${quote(line)}`, 'badHTTP');
  }
  const header = new Map<ByteString, ByteString[]>();
  for (;;) {
    const line = await readContinuedLine(reader);
    if (line === '') return header;
    addField(header, line);
  }
}

async function startsWithBlank(reader: BufioReader): Promise<boolean> {
  const [byte] = (await reader.peek(1)).bytes;
  return byte === 0x20 || byte === 0x09;
}

/** A token, or one with spaces in it, which is accepted but not made canonical. */
const FIELD_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z ]+$/;
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

function addField(header: Map<ByteString, ByteString[]>, line: ByteString): void {
  const colon = line.indexOf(':');
  const name = line.slice(0, colon);
  const value = line.slice(colon + 1);
  if (!FIELD_NAME.test(name)) throw badString('malformed MIME header line:', line, 'badHTTP');
  const key = canonicalHeaderKey(name);
  // Go has made the name canonical in place by then.
  if (!FIELD_VALUE.test(value))
    throw badString('malformed MIME header line:', `${key}:${value}`, 'badHTTP');
  addHeader(header, key, trimBlanks(value));
}

/** Reads a line and those that continue it. Ports Reader.readContinuedLineSlice (net/textproto/reader.go). */
async function readContinuedLine(reader: BufioReader): Promise<ByteString> {
  const first = await readLine(reader);
  if (first === '') return first;
  if (!first.includes(':'))
    throw badString('malformed MIME header: missing colon:', first, 'badHTTP');
  let line = trimBlanks(first);
  while (await startsWithBlank(reader)) {
    do reader.discard(1);
    while (await startsWithBlank(reader));
    const more = await reader.readLine();
    if (more.error) break;
    const start = more.bytes.toString('latin1');
    line += ` ${trimBlanks(more.isPrefix ? start + (await readLine(reader)) : start)}`;
  }
  return line;
}
