import { type ByteString } from '../../go/byte-string.js';
import { type Header, headerOf } from '../../go/header.js';
import { atoi, parseUint } from '../../go/parse-int.js';
import { BufioReader, EOF_ERROR, type ReadResult } from '../http/bufio.js';
import { IoError } from '../io-error.js';
import type { Conn } from '../net/conn.js';
import { ClientConnection } from './client-connection.js';
import { ConnectionError, errorCode, FROM_PEER, StreamError } from './error-code.js';
import { encodeFrame, FLAGS, type Frame } from './frame.js';
import { Framer } from './framer.js';
import { isPseudo } from './header-list.js';
import { fieldSize } from './hpack-decoder.js';
import { encodeHeaderBlock } from './hpack-encode.js';

/** The only stream of its connection. */
export const STREAM_ID = 1;
/** From here on nobody has asked for anything. */
const NEXT_STREAM_ID = 3;
const MAX_FRAME_SIZE = 16 * 1024;
export const MAX_HEADER_LIST_SIZE = 10 << 20;

export interface Http2Head {
  readonly statusCode: number;
  readonly header: Header;
  /** -1 where it is not known. */
  readonly contentLength: number;
  /** Nothing follows. */
  readonly ended: boolean;
}

type HeadersFrame = Frame & { kind: 'headers' };
type DataFrame = Frame & { kind: 'data' };

/**
 * One request on a connection, whose frames are read when somebody asks for what they bring. Ports
 * clientStream and clientConnReadLoop (golang.org/x/net/http2/transport.go).
 */
export class Http2Stream {
  readonly #conn: Conn;
  readonly #framer: Framer;
  readonly #connection: ClientConnection;
  #head: Http2Head | undefined;
  #interimSize = 0;
  #data: Buffer = Buffer.alloc(0);
  /** How the stream ended: `EOF` when all has come. */
  #end: Error | undefined;

  /** Sends the request. */
  constructor(conn: Conn, fields: readonly (readonly [ByteString, ByteString])[]) {
    this.#conn = conn;
    const reader = new BufioReader((into) => conn.read(into));
    this.#framer = new Framer(reader, MAX_FRAME_SIZE, MAX_HEADER_LIST_SIZE);
    this.#connection = new ClientConnection(conn);
    this.#connection.open(requestFrames(fields));
  }

  async readHead(onFirstByte: () => void): Promise<Http2Head> {
    // Whatever the server has said already: it gets the request.
    await this.#conn.flushed();
    while (!this.#head) {
      if (this.#end) throw this.#end;
      await this.#step();
      onFirstByte();
    }
    return this.#head;
  }

  async read(into: Uint8Array): Promise<ReadResult> {
    while (this.#data.length === 0 && !this.#end) await this.#step();
    if (this.#data.length === 0) return { size: 0, error: this.#end ?? EOF_ERROR };
    const size = Math.min(into.length, this.#data.length);
    into.set(this.#data.subarray(0, size));
    this.#data = this.#data.subarray(size);
    return { size };
  }

  /** Reads a frame and acts on it. */
  async #step(): Promise<void> {
    try {
      const frame = await this.#framer.readFrame();
      this.#connection.checkOrder(frame);
      this.#process(frame);
    } catch (error) {
      if (!(error instanceof IoError)) throw error;
      if (!(error instanceof StreamError)) this.#end ??= this.#connection.failure(error);
      else if (error.streamID === STREAM_ID) this.#end ??= error;
    }
  }

  #process(frame: Frame): void {
    switch (frame.kind) {
      case 'headers':
        if (frame.streamID === STREAM_ID) this.#processHeaders(frame);
        return;
      case 'data':
        return this.#processData(frame);
      case 'rstStream':
        if (frame.streamID === STREAM_ID) throw new StreamError(STREAM_ID, frame.code, FROM_PEER);
        return;
      case 'settings':
      case 'ping':
      case 'goAway':
      case 'windowUpdate':
      case 'pushPromise':
      case 'other':
        this.#connection.process(frame);
    }
  }

  #processHeaders(frame: HeadersFrame): void {
    if (this.#head) return this.#processTrailers(frame);
    let problem: string | undefined;
    const head = parseHead(frame);
    if (typeof head === 'string') problem = head;
    else if (head.statusCode >= 100 && head.statusCode <= 199)
      problem = this.#interimProblem(frame);
    else {
      this.#head = head;
      if (frame.endStream) this.#end = EOF_ERROR;
    }
    if (problem === undefined) return;
    throw new StreamError(STREAM_ID, errorCode('PROTOCOL_ERROR'), problem);
  }

  #interimProblem({ endStream, fields }: HeadersFrame): string | undefined {
    if (endStream) return '1xx informational response with END_STREAM flag';
    for (const field of fields) this.#interimSize += fieldSize(field);
    return this.#interimSize > MAX_HEADER_LIST_SIZE ? 'header list too large' : undefined;
  }

  #processTrailers({ endStream, fields }: HeadersFrame): void {
    if (!endStream || fields.some(isPseudo)) throw new ConnectionError('PROTOCOL_ERROR');
    this.#end = EOF_ERROR;
  }

  #processData({ streamID, data, endStream }: DataFrame): void {
    if (streamID !== STREAM_ID) {
      if (streamID >= NEXT_STREAM_ID) throw new ConnectionError('PROTOCOL_ERROR');
      return;
    }
    if (!this.#head) throw new StreamError(STREAM_ID, errorCode('PROTOCOL_ERROR'));
    this.#data = data;
    if (endStream) this.#end = EOF_ERROR;
  }
}

function requestFrames(fields: readonly (readonly [ByteString, ByteString])[]): Buffer[] {
  const block = encodeHeaderBlock(fields);
  const frames: Buffer[] = [];
  for (let at = 0; at === 0 || at < block.length; at += MAX_FRAME_SIZE) {
    const piece = block.subarray(at, at + MAX_FRAME_SIZE);
    const last = at + MAX_FRAME_SIZE >= block.length ? FLAGS.endHeaders : 0;
    if (at === 0) frames.push(encodeFrame('headers', last | FLAGS.endStream, STREAM_ID, piece));
    else frames.push(encodeFrame('continuation', last, STREAM_ID, piece));
  }
  return frames;
}

/** Ports handleResponse (golang.org/x/net/http2/transport.go); a text tells what is wrong. */
function parseHead({ fields, truncated, endStream }: HeadersFrame): Http2Head | string {
  if (truncated) return 'http2: response header list larger than advertised limit';
  const status = fields.find(({ name }) => name === ':status')?.value ?? '';
  if (status === '') return 'malformed response from server: missing status pseudo header';
  const statusCode = atoi(status);
  if (!statusCode.ok) {
    return 'malformed response from server: malformed non-numeric status pseudo header';
  }
  const regular = fields.filter((field) => !isPseudo(field));
  const header = headerOf(regular.map(({ name, value }) => [name, value] as const));
  header.delete('Trailer');
  const lengths = header.get('Content-Length') ?? [];
  const declared = lengths.length === 1 ? parseUint(lengths[0] ?? '', 63) : undefined;
  const unknown = lengths.length === 0 && endStream ? 0 : -1;
  return {
    statusCode: statusCode.value,
    header,
    contentLength: declared ?? unknown,
    ended: endStream,
  };
}
