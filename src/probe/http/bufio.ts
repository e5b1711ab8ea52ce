import { IoError } from '../io-error.js';

/** What a bufio.Reader reads from: how many bytes came, 0 at the end. */
export type Read = (into: Uint8Array) => number | Promise<number>;

const BUFFER_SIZE = 4096;
const NEWLINE = 0x0a;

/** What a Go Read returns: bytes, and perhaps with them the error that ends it. */
export interface ReadResult {
  readonly size: number;
  /** The end of the stream is the error `EOF`. */
  readonly error?: Error;
}

export const EOF_ERROR = new IoError('EOF');
export const UNEXPECTED_EOF_ERROR = new IoError('unexpected EOF');

export interface Line {
  readonly bytes: Buffer;
  readonly error?: Error;
  /** The line goes on: the buffer was full. */
  readonly isPrefix: boolean;
}

/**
 * Ports bufio.Reader (bufio/bufio.go). Its 4 KiB are part of what a probe sees: they limit chunk
 * headers and trailers. What it returns is valid until the next read.
 */
export class BufioReader {
  readonly #read: Read;
  readonly #buffer = Buffer.allocUnsafe(BUFFER_SIZE);
  #start = 0;
  #end = 0;
  #error: Error | undefined;

  constructor(read: Read) {
    this.#read = read;
  }

  get buffered(): number {
    return this.#end - this.#start;
  }

  /** What has been read ahead. */
  get bufferedBytes(): Buffer {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  /** The next `size` bytes, left in place; fewer, with an error, when the stream ends or breaks before. */
  async peek(size: number): Promise<{ readonly bytes: Buffer; readonly error?: Error }> {
    while (this.buffered < Math.min(size, BUFFER_SIZE) && !this.#error) await this.#fill();
    const bytes = this.#buffer.subarray(this.#start, Math.min(this.#end, this.#start + size));
    const error = bytes.length < size ? this.#takeError() : undefined;
    return error ? { bytes, error } : { bytes };
  }

  /** Passes over bytes that are buffered. */
  discard(size: number): void {
    this.#start += size;
  }

  async read(into: Uint8Array): Promise<ReadResult> {
    if (this.buffered === 0) {
      if (this.#error) return { size: 0, error: this.#takeError() ?? EOF_ERROR };
      if (into.length >= BUFFER_SIZE) return this.#readOnce(into);
      this.#start = 0;
      this.#end = 0;
      const { size, error } = await this.#readOnce(this.#buffer);
      if (error) return { size: 0, error };
      this.#end = size;
    }
    const size = Math.min(into.length, this.buffered);
    into.set(this.#buffer.subarray(this.#start, this.#start + size));
    this.#start += size;
    return { size };
  }

  /** Up to and with the next newline; without one when the stream ends, breaks or the buffer is full. */
  async readSlice(): Promise<Line> {
    for (let from = 0; ;) {
      const at = this.#buffer.subarray(0, this.#end).indexOf(NEWLINE, this.#start + from);
      if (at >= 0) return this.#takeLine(at + 1);
      const error = this.#takeError();
      if (error) return { ...this.#takeLine(this.#end), error };
      if (this.buffered >= BUFFER_SIZE) return { ...this.#takeLine(this.#end), isPrefix: true };
      from = this.buffered;
      await this.#fill();
    }
  }

  /** A line without its end; an error only when nothing came before it. */
  async readLine(): Promise<Line> {
    const { bytes, error, isPrefix } = await this.readSlice();
    if (isPrefix) {
      // A "\r\n" may straddle the buffer's end.
      const cut = bytes.at(-1) === 0x0d ? 1 : 0;
      this.#start -= cut;
      return { bytes: bytes.subarray(0, bytes.length - cut), isPrefix };
    }
    if (bytes.length === 0) return { bytes, isPrefix, error: error ?? EOF_ERROR };
    if (bytes.at(-1) !== NEWLINE) return { bytes, isPrefix };
    const end = bytes.at(-2) === 0x0d ? 2 : 1;
    return { bytes: bytes.subarray(0, bytes.length - end), isPrefix };
  }

  #takeLine(end: number): Line {
    const bytes = this.#buffer.subarray(this.#start, end);
    this.#start = end;
    return { bytes, isPrefix: false };
  }

  async #fill(): Promise<void> {
    if (this.#start > 0) {
      this.#buffer.copyWithin(0, this.#start, this.#end);
      this.#end -= this.#start;
      this.#start = 0;
    }
    const { size, error } = await this.#readOnce(this.#buffer.subarray(this.#end));
    this.#end += size;
    if (error) this.#error = error;
  }

  async #readOnce(into: Uint8Array): Promise<ReadResult> {
    try {
      const read = this.#read(into);
      const size = typeof read === 'number' ? read : await read;
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
