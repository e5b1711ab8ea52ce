import { IoError } from '../io-error.js';
import { type BufioReader, EOF_ERROR, type ReadResult, UNEXPECTED_EOF_ERROR } from './bufio.js';

const MAX_EXCESS = 16 * 1024;

/** Takes HTTP's chunks apart. Ports chunkedReader (net/http/internal/chunked.go). */
export class ChunkedReader {
  readonly #reader: BufioReader;
  /** Bytes of this chunk that are unread. */
  #left = 0;
  #error: Error | undefined;
  /** A chunk's end has yet to be looked at. */
  #checkEnd = false;
  /** What was sent beside data, to notice who sends little else. */
  #excess = 0;

  constructor(reader: BufioReader) {
    this.#reader = reader;
  }

  async read(into: Uint8Array): Promise<ReadResult> {
    let size = 0;
    while (this.#error === undefined) {
      if (this.#checkEnd) {
        // Return early with some data instead of waiting for more.
        if (size > 0 && this.#reader.buffered < 2) break;
        this.#error = await this.#readChunkEnd();
        if (this.#error) break;
        this.#checkEnd = false;
      }
      if (this.#left === 0) {
        if (size > 0 && !this.#hasChunkHeader()) break;
        this.#error = await this.#beginChunk();
        continue;
      }
      if (size === into.length) break;
      size += await this.#readData(into.subarray(size));
    }
    return this.#error ? { size, error: this.#error } : { size };
  }

  async #readData(into: Uint8Array): Promise<number> {
    const { size, error } = await this.#reader.read(into.subarray(0, this.#left));
    this.#left -= size;
    if (this.#left === 0 && error === undefined) this.#checkEnd = true;
    this.#error = error === EOF_ERROR ? UNEXPECTED_EOF_ERROR : error;
    return size;
  }

  async #readChunkEnd(): Promise<Error | undefined> {
    const { bytes, error } = await this.#reader.peek(2);
    if (error) return error === EOF_ERROR ? UNEXPECTED_EOF_ERROR : error;
    const isEnd = bytes.toString('latin1') === '\r\n';
    this.#reader.discard(2);
    return isEnd ? undefined : new IoError('malformed chunked encoding');
  }

  #hasChunkHeader(): boolean {
    return this.#reader.bufferedBytes.includes(0x0a);
  }

  async #beginChunk(): Promise<Error | undefined> {
    const line = await readChunkLine(this.#reader);
    if (line instanceof Error) return line;
    const [digits = ''] = line.replace(/[ \t]+$/, '').split(';', 1);
    const length = parseHexUint(digits);
    if (length instanceof Error) return length;
    this.#left = length;
    // 16 bytes beside the data are granted to each chunk, and twice the data's size.
    this.#excess = Math.max(0, this.#excess + line.length + 2 - 16 - 2 * length);
    if (this.#excess > MAX_EXCESS) {
      return new IoError('chunked encoding contains too much non-data');
    }
    return length === 0 ? EOF_ERROR : undefined;
  }
}

/** A chunk's header without its end. Ports readChunkLine (net/http/internal/chunked.go). */
async function readChunkLine(reader: BufioReader): Promise<string | Error> {
  const { bytes, error, isPrefix } = await reader.readSlice();
  if (isPrefix) return new IoError('header line too long');
  if (error) return error === EOF_ERROR ? UNEXPECTED_EOF_ERROR : error;
  const line = bytes.toString('latin1');
  const end = line.indexOf('\r');
  if (end === -1) return new IoError('chunked line ends with bare LF');
  if (end !== line.length - 2) return new IoError('invalid CR in chunked line');
  return line.slice(0, end);
}

/** Ports parseHexUint (net/http/internal/chunked.go). */
function parseHexUint(digits: string): number | Error {
  if (digits === '') return new IoError('empty hex number for chunk length');
  const valid = /^[0-9a-fA-F]*/.exec(digits)?.[0].length ?? 0;
  if (valid > 16) return new IoError('http chunk length too large');
  if (valid < digits.length) return new IoError('invalid byte in chunk length');
  return Number.parseInt(digits, 16);
}
