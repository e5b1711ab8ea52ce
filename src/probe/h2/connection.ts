import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type Settings,
} from 'node:http2';
import { Duplex } from 'node:stream';

import { EOF_ERROR, UNEXPECTED_EOF_ERROR } from '../../go/http/bufio.js';
import { IoError } from '../../go/io-error.js';
import type { Attempt } from '../attempt.js';
import type { Conn } from '../net/conn.js';
import { errorName, type Fields, type GoAway, H2Stream } from './stream.js';

const { NGHTTP2_INTERNAL_ERROR, NGHTTP2_NO_ERROR } = constants;
const HEADER_SIZE = 9;
/** `PRI * HTTP/2.0`, which a client sends first. */
const PREFACE_SIZE = 24;
const MAX_FRAME_SIZE = 16 * 1024;
const RST_STREAM = 3;
const SETTINGS = 4;
const PING = 6;
const GOAWAY = 7;
const CONTINUATION = 9;
/** HEADERS, PUSH_PROMISE and CONTINUATION. */
const BLOCKS: ReadonlySet<number> = new Set([1, 5, CONTINUATION]);
const END_HEADERS = 4;
const ENABLE_PUSH = 2;
const TOO_LARGE = 'http2: frame too large';
const CHUNK = 16 * 1024;
/** Node's default of 128 is less than Go takes. */
const MAX_HEADER_PAIRS = 10_000;
/** As many as a frame can hold; Node's default is 32. */
const MAX_SETTINGS = Math.floor(MAX_FRAME_SIZE / 6);

/**
 * Keeps what Node holds of a session until what it holds of its streams is collected. Node 20 aborts the process when it frees
 * a session before the headers of a stream, which a header block that never ended leaves behind.
 */
const sessions = new FinalizationRegistry<object>(() => undefined);

type ControlFrame =
  | { readonly kind: 'reset'; readonly streamID: number; readonly code: number }
  | ({ readonly kind: 'goAway' } & GoAway);

/**
 * The client's side of an HTTP/2 connection. node:http2 gets all frames that Go reads but RST_STREAM and GOAWAY: it does not say
 * whether the server or nghttp2 reset a stream, and drops streams after a GOAWAY that Go waits for.
 */
export class H2Connection {
  /** Resolves with the server's first settings; rejects when the connection ends before. */
  readonly ready: Promise<void>;
  goAway: GoAway | undefined;
  /** The server has sent something, in whatever protocol. */
  hasReceived = false;
  readonly #session: ClientHttp2Session;
  readonly #received = new FrameSplitter();
  readonly #sent = new FrameSplitter(PREFACE_SIZE);
  #stream: H2Stream | undefined;
  #nextStreamID = 1;
  #resume: (() => void) | undefined;

  constructor(
    private readonly attempt: Attempt,
    private readonly conn: Conn,
    settings: Settings,
  ) {
    const wire = new Duplex({
      read: () => this.#resume?.(),
      write: (chunk: Buffer, _encoding, done) => {
        conn.write(chunk);
        done();
        this.#onSent(chunk);
      },
    });
    const session = connect('http://localhost', {
      createConnection: () => wire,
      settings,
      maxHeaderListPairs: MAX_HEADER_PAIRS,
      maxSettings: MAX_SETTINGS,
    });
    this.#session = session;
    this.ready = new Promise((resolve, reject) => {
      session.once('remoteSettings', () => resolve());
      session.once('close', () => reject(new IoError('connection closed')));
    });
    this.ready.catch(() => undefined);
    session.on('error', () => undefined);
    session.on('close', () => this.#stream?.end({ kind: 'malformed', what: 'connection' }));
    attempt.deadline.onEnd(() => this.close());
    void this.#read(wire);
  }

  /** The size of a header list that the server accepts. */
  get maxHeaderListSize(): number {
    return this.#session.remoteSettings.maxHeaderListSize ?? Infinity;
  }

  /** Sends a request; streams of a connection come one after another. */
  request(fields: Fields, body?: Buffer): H2Stream {
    const headers: Record<string, string | string[]> = {};
    for (const [name, value] of fields) {
      // Go would send any other value; node:http2 refuses to.
      if (name === 'te' && value !== 'trailers') continue;
      const before = headers[name];
      headers[name] = before === undefined ? value : [before, value].flat();
    }
    const stream = new H2Stream(this.#nextStreamID);
    this.#nextStreamID += 2;
    this.#stream = stream;
    try {
      const request = this.#session.request(headers, { endStream: body === undefined });
      sessions.register(handleOf(request), handleOf(this.#session));
      stream.attach(request);
      if (body) request.end(body);
    } catch (error) {
      // The session has ended, or it accepts one value only of a header.
      if (!(error instanceof Error && 'code' in error)) throw error;
      const lost = new IoError(`http2: ${error.message}`);
      stream.end({ kind: 'lost', error: lost, goAway: this.goAway });
    }
    return stream;
  }

  close(): void {
    this.#end(new IoError('use of closed network connection'));
    this.conn.close();
  }

  #end(error: IoError): void {
    this.#stream?.end({ kind: 'lost', error, goAway: this.goAway });
    this.#session.destroy();
  }

  /** Resolves when the frames that have arrived are handled. */
  settle(): Promise<void> {
    return new Promise((resolve) => this.attempt.options.clock.go(() => resolve()));
  }

  /** Passes what the server sends on to node:http2 until the connection ends. */
  async #read(wire: Duplex): Promise<void> {
    // As in Go, a request that has been made goes out before anything is read.
    await this.settle();
    await this.conn.flushed();
    try {
      for (;;) {
        const chunk = Buffer.allocUnsafe(CHUNK);
        const size = await this.conn.read(chunk);
        if (size === 0) throw this.#received.isWhole ? EOF_ERROR : UNEXPECTED_EOF_ERROR;
        this.hasReceived = true;
        for (const piece of this.#received.split(chunk.subarray(0, size))) {
          if (Buffer.isBuffer(piece)) await this.#push(wire, piece);
          else await this.#onFrame(piece);
        }
        // As in Go, a server that does not read the answers to its frames is not read either.
        await this.conn.flushed();
      }
    } catch (error) {
      if (!(error instanceof IoError)) throw error;
      await this.settle();
      this.#end(error);
    }
  }

  /** Ends the connection with a GOAWAY of node:http2, which does not report all frames that it rejects. */
  #onSent(chunk: Buffer): void {
    for (const frame of this.#sent.split(chunk)) {
      if (Buffer.isBuffer(frame) || frame.kind !== 'goAway') continue;
      // node:http2 sends the first code when it closes, and the second after an error that it has reported.
      if (frame.code === NGHTTP2_NO_ERROR || frame.code === NGHTTP2_INTERNAL_ERROR) continue;
      const error = new IoError(`connection error: ${errorName(frame.code)}`);
      this.#stream?.end({ kind: 'lost', error, goAway: this.goAway });
      void this.settle().then(() => this.#end(error));
    }
  }

  async #push(wire: Duplex, bytes: Buffer): Promise<void> {
    if (wire.destroyed || wire.push(bytes)) return;
    await new Promise<void>((resolve) => {
      this.#resume = resolve;
    });
  }

  async #onFrame(frame: ControlFrame): Promise<void> {
    // By then the stream has seen all frames before this one.
    await this.settle();
    const stream = this.#stream;
    if (frame.kind === 'reset') {
      if (frame.streamID === stream?.id) stream.end({ kind: 'reset', code: frame.code });
      return;
    }
    this.goAway = mergeGoAway(this.goAway, frame);
    if (stream && stream.id > frame.lastStreamID)
      stream.end({ kind: 'goAway', goAway: this.goAway });
  }
}

/** Returns the object with which Node holds a session or a stream in C++, or the session or stream once it has none. */
function handleOf(owner: ClientHttp2Session | ClientHttp2Stream): object {
  const symbols = Object.getOwnPropertySymbols(owner);
  const key = symbols.find(({ description }) => description === 'kHandle');
  const handle: unknown = key && Reflect.get(owner, key);
  return handle instanceof Object ? handle : owner;
}

/** Ports setGoAway (golang.org/x/net/http2/transport.go). */
function mergeGoAway(old: GoAway | undefined, { lastStreamID, code, debug }: GoAway): GoAway {
  return {
    lastStreamID,
    code: old !== undefined && old.code !== 0 ? old.code : code,
    debug: old !== undefined && old.debug.length > 0 ? old.debug : debug,
  };
}

/** Splits what one side sends into its RST_STREAM and GOAWAY frames and the bytes of all others. */
class FrameSplitter {
  /** Bytes of an incomplete header or control frame. */
  #rest: Buffer = Buffer.alloc(0);
  #isBlockOpen = false;

  /** `left`: bytes that are passed on before the next frame. */
  constructor(private left = 0) {}

  /** Reports whether no frame is incomplete. */
  get isWhole(): boolean {
    return this.left === 0 && this.#rest.length === 0;
  }

  *split(chunk: Buffer): Generator<Buffer | ControlFrame> {
    let bytes = Buffer.concat([this.#rest, chunk]);
    while (bytes.length > 0) {
      if (this.left > 0) {
        const passed = bytes.subarray(0, this.left);
        this.left -= passed.length;
        bytes = bytes.subarray(passed.length);
        yield passed;
        continue;
      }
      if (bytes.length < HEADER_SIZE) break;
      checkSize(bytes);
      const size = HEADER_SIZE + bytes.readUIntBE(0, 3);
      const type = bytes[3] ?? 0;
      const isIgnored = isIgnoredByGo(bytes, size);
      // Within a header block any other frame is an error, which node:http2 finds.
      if (this.#isBlockOpen || !(type === SETTINGS || isControl(type, size) || isIgnored)) {
        if (BLOCKS.has(type)) this.#isBlockOpen = ((bytes[4] ?? 0) & END_HEADERS) === 0;
        this.left = size;
        continue;
      }
      if (bytes.length < size) break;
      const frame = bytes.subarray(0, size);
      bytes = bytes.subarray(size);
      if (!isIgnored) yield type === SETTINGS ? withoutPush(frame) : parse(frame);
    }
    this.#rest = bytes;
  }
}

/** Go ignores a server that allows itself to push, and node:http2 ends the connection. */
function withoutPush(settings: Buffer): Buffer {
  for (let at = HEADER_SIZE; at + 6 <= settings.length; at += 6) {
    if (settings.readUInt16BE(at) === ENABLE_PUSH) settings.writeUInt32BE(0, at + 2);
  }
  return settings;
}

/** Go ignores frames of unknown types and answers to pings that it has not sent; node:http2 ends the connection. */
function isIgnoredByGo(header: Buffer, size: number): boolean {
  if (header[3] !== PING) return (header[3] ?? 0) > CONTINUATION;
  const isAck = ((header[4] ?? 0) & 1) !== 0;
  return isAck && size === HEADER_SIZE + 8 && (header.readUInt32BE(5) & 0x7fffffff) === 0;
}

function isControl(type: number, size: number): boolean {
  if (type === RST_STREAM) return size === HEADER_SIZE + 4;
  return type === GOAWAY && size >= HEADER_SIZE + 8;
}

function parse(frame: Buffer): ControlFrame {
  const streamID = frame.readUInt32BE(5) & 0x7fffffff;
  if (frame[3] === RST_STREAM) return { kind: 'reset', streamID, code: frame.readUInt32BE(9) };
  const lastStreamID = frame.readUInt32BE(9) & 0x7fffffff;
  const debug = Buffer.from(frame.subarray(17));
  return { kind: 'goAway', lastStreamID, code: frame.readUInt32BE(13), debug };
}

/** Throws when a frame is too long: an HTTP/1.1 response looks like one. */
function checkSize(bytes: Buffer): void {
  if (bytes.readUIntBE(0, 3) <= MAX_FRAME_SIZE) return;
  if (bytes.toString('latin1', 0, HEADER_SIZE) !== 'HTTP/1.1 ') throw new IoError(TOO_LARGE);
  throw new IoError(
    `http2: failed reading the frame payload: ${TOO_LARGE}, note that the frame header looked like an HTTP/1.1 header`,
  );
}
