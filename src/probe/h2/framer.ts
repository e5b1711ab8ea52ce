import { type BufioReader, EOF_ERROR, UNEXPECTED_EOF_ERROR } from '../http/bufio.js';
import { IoError } from '../io-error.js';
import { ConnectionError, type ErrorName } from './error-code.js';
import {
  FLAGS,
  type Frame,
  FRAME_HEADER_SIZE,
  FRAME_TYPES,
  type FrameHeader,
  parseFrameHeader,
} from './frame.js';
import { HeaderList } from './header-list.js';
import { HpackDecoder } from './hpack-decoder.js';
import { dataOf, headerFragment, parseControlFrame } from './parse-frame.js';

const TYPE_NAMES = [
  'DATA',
  'HEADERS',
  'PRIORITY',
  'RST_STREAM',
  'SETTINGS',
  'PUSH_PROMISE',
  'PING',
  'GOAWAY',
  'WINDOW_UPDATE',
  'CONTINUATION',
];

/** What `HTTP/1.1 ` reads as when it is taken for a frame's header. */
const HTTP1_HEADER = parseFrameHeader(Buffer.from('HTTP/1.1 '));

/** Reads frames and puts header blocks together. Ports Framer (golang.org/x/net/http2/frame.go). */
export class Framer {
  readonly #reader: BufioReader;
  readonly #maxFrameSize: number;
  readonly #maxHeaderListSize: number;
  readonly #decoder: HpackDecoder;
  /** The stream whose header block has not ended. */
  #openHeaderStream = 0;
  #lastType = 0;

  constructor(reader: BufioReader, maxFrameSize: number, maxHeaderListSize: number) {
    this.#reader = reader;
    this.#maxFrameSize = maxFrameSize;
    this.#maxHeaderListSize = maxHeaderListSize;
    this.#decoder = new HpackDecoder(maxHeaderListSize);
  }

  /** Whether a frame has been read ahead as a whole. */
  get hasFrame(): boolean {
    const ahead = this.#reader.bufferedBytes;
    if (ahead.length < FRAME_HEADER_SIZE) return false;
    return ahead.length >= FRAME_HEADER_SIZE + parseFrameHeader(ahead).length;
  }

  /** Throws a StreamError for what is wrong with a stream, anything else for what ends the connection. */
  async readFrame(): Promise<Frame> {
    const { header, payload } = await this.#readRaw();
    switch (header.type) {
      case FRAME_TYPES.data:
        return dataOf(header, payload);
      case FRAME_TYPES.headers:
        return this.#readHeaders(header, headerFragment(header, payload));
      default:
        return parseControlFrame(header, payload);
    }
  }

  async #readRaw(): Promise<{ readonly header: FrameHeader; readonly payload: Buffer }> {
    const header = parseFrameHeader(await readFull(this.#reader, FRAME_HEADER_SIZE));
    if (header.length > this.#maxFrameSize) throw frameTooLarge(header);
    this.#checkFrameOrder(header);
    return { header, payload: await readFull(this.#reader, header.length) };
  }

  /** Ports checkFrameOrder (golang.org/x/net/http2/frame.go). */
  #checkFrameOrder({ type, flags, streamID }: FrameHeader): void {
    const lastType = this.#lastType;
    this.#lastType = type;
    const open = this.#openHeaderStream;
    const isContinuation = type === FRAME_TYPES.continuation;
    if (open !== 0 && !isContinuation) {
      const after = `expected CONTINUATION following ${typeName(lastType)} for stream ${open}`;
      throw protocolError(`got ${typeName(type)} for stream ${streamID}; ${after}`);
    }
    if (open !== 0 && streamID !== open) {
      throw protocolError(`got CONTINUATION for stream ${streamID}; expected stream ${open}`);
    }
    if (open === 0 && isContinuation) {
      throw protocolError(`unexpected CONTINUATION for stream ${streamID}`);
    }
    if (type !== FRAME_TYPES.headers && !isContinuation) return;
    this.#openHeaderStream = (flags & FLAGS.endHeaders) !== 0 ? 0 : streamID;
  }

  /** Ports readMetaFrame (golang.org/x/net/http2/frame.go). */
  async #readHeaders({ streamID, flags }: FrameHeader, fragment: Buffer): Promise<Frame> {
    const list = new HeaderList(this.#maxHeaderListSize);
    let piece = fragment;
    for (;;) {
      if (!list.mayTake(piece.length)) throw protocolError('header list too large');
      if (this.#decoder.write(piece, (field) => list.add(field)) !== undefined) {
        throw new ConnectionError('COMPRESSION_ERROR');
      }
      if (this.#openHeaderStream === 0) break;
      const { header, payload } = await this.#readRaw();
      if (header.streamID === 0) throw protocolError('CONTINUATION frame with stream ID 0');
      piece = payload;
    }
    if (!this.#decoder.close()) throw new ConnectionError('COMPRESSION_ERROR');
    const { fields, truncated } = list.checked(streamID);
    return {
      kind: 'headers',
      streamID,
      fields,
      truncated,
      endStream: (flags & FLAGS.endStream) !== 0,
    };
  }
}

function typeName(type: number): string {
  return TYPE_NAMES[type] ?? `UNKNOWN_FRAME_TYPE_${type}`;
}

function protocolError(detail: string, name: ErrorName = 'PROTOCOL_ERROR'): ConnectionError {
  return new ConnectionError(name, detail);
}

const TOO_LARGE = 'http2: frame too large';

function frameTooLarge({ length, type, flags, streamID }: FrameHeader): IoError {
  const looksLikeHTTP1 =
    length === HTTP1_HEADER.length &&
    type === HTTP1_HEADER.type &&
    flags === HTTP1_HEADER.flags &&
    streamID === HTTP1_HEADER.streamID;
  if (!looksLikeHTTP1) return new IoError(TOO_LARGE);
  return new IoError(
    `http2: failed reading the frame payload: ${TOO_LARGE}, note that the frame header looked like an HTTP/1.1 header`,
  );
}

/** Ports io.ReadFull (io/io.go). */
async function readFull(reader: BufioReader, size: number): Promise<Buffer> {
  const into = Buffer.allocUnsafe(size);
  for (let read = 0; read < size;) {
    const result = await reader.read(into.subarray(read));
    read += result.size;
    if (read < size && result.error) {
      throw result.error === EOF_ERROR && read > 0 ? UNEXPECTED_EOF_ERROR : result.error;
    }
  }
  return into;
}
