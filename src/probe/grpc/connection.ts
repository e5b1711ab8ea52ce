import { quote } from '../../go/quote.js';
import type { Attempt } from '../attempt.js';
import { errorName, StreamError } from '../h2/error-code.js';
import {
  CLIENT_PREFACE,
  encodeFrame,
  encodeSettings,
  encodeUint32,
  FLAGS,
  type Frame,
  SETTINGS,
} from '../h2/frame.js';
import { Framer } from '../h2/framer.js';
import { BufioReader, EOF_ERROR } from '../http/bufio.js';
import { IoError } from '../io-error.js';
import type { Conn } from '../net/conn.js';
import { openConn } from '../net/open.js';
import { SendWindow } from './send-window.js';
import { codeOfReset, type Status, status } from './status.js';

/** http2MaxFrameLen (internal/transport/http_util.go). */
const MAX_FRAME_SIZE = 16 * 1024;
/** defaultClientMaxHeaderListSize (internal/transport/defaults.go). */
const MAX_HEADER_LIST_SIZE = 16 << 20;

/** A quarter of the windows (internal/transport/flowcontrol.go). */
const WINDOW_STEP = 16 * 1024;

/** How a stream came to its end. */
export interface StreamEnd {
  /** What a read gets instead of bytes: the end, or an error with this status. */
  readonly read: 'EOF' | Status;
  readonly status: Status;
  /** The server has not looked at it. */
  readonly unprocessed: boolean;
}

/** What the stream under way is told by its connection. */
export interface StreamHandler {
  readonly id: number;
  onHeaders(frame: Frame & { kind: 'headers' }): void;
  onData(frame: Frame & { kind: 'data' }): void;
  onEnd(end: StreamEnd): void;
}

/** Frames are read when a call wants more. Ports http2Client (google.golang.org/grpc/internal/transport/http2_client.go). */
export class GrpcConnection {
  readonly window: SendWindow;
  stream: StreamHandler | undefined;
  /** How many streams the server lets be open. */
  maxStreams = Infinity;
  maxHeaderListSize: number | undefined;
  nextStreamID = 1;
  /** It takes no more streams. */
  isDraining = false;
  readonly #conn: Conn;
  readonly #framer: Framer;
  #goAwayText = '';
  #previousGoAwayID = 0;
  /** Bytes of data that no window update has told of. */
  #unacknowledged = 0;

  private constructor(conn: Conn) {
    this.#conn = conn;
    const reader = new BufioReader((into) => conn.read(into));
    this.#framer = new Framer(reader, MAX_FRAME_SIZE, MAX_HEADER_LIST_SIZE);
    this.window = new SendWindow((frame) => conn.write(frame));
  }

  /**
   * Connects and waits for the server's settings; throws an IoError, as NewHTTP2Client says it. A
   * connection that the server drains at once is given up without an error, for the next one.
   */
  static async open(attempt: Attempt, address: string): Promise<GrpcConnection> {
    for (;;) {
      const connection = await GrpcConnection.#connect(attempt, address);
      if (!connection.isDraining) return connection;
      connection.close();
    }
  }

  static async #connect(attempt: Attempt, address: string): Promise<GrpcConnection> {
    const conn = await openConn(attempt, address).catch((error: unknown) => {
      if (!(error instanceof IoError)) throw error;
      throw new IoError(`transport: Error while dialing: ${error.message}`);
    });
    const connection = new GrpcConnection(conn);
    conn.write(Buffer.concat([Buffer.from(CLIENT_PREFACE), encodeSettings([])]));
    try {
      await connection.#readServerPreface();
      await connection.settle();
      return connection;
    } catch (error) {
      conn.close();
      throw error;
    }
  }

  write(frames: Buffer): void {
    this.#conn.write(frames);
  }

  close(): void {
    this.#conn.close();
  }

  async #readServerPreface(): Promise<void> {
    let frame: Frame;
    try {
      frame = await this.#framer.readFrame();
    } catch (error) {
      if (!(error instanceof IoError)) throw error;
      throw new IoError(`error reading server preface: ${error.message}`);
    }
    if (frame.kind !== 'settings') {
      throw new IoError('initial http2 frame from server is not a settings frame');
    }
    this.#processSettings(frame);
  }

  /** Reads a frame and acts on it. Ports the loop of reader (http2_client.go). */
  async step(): Promise<void> {
    try {
      this.#process(await this.#framer.readFrame());
    } catch (error) {
      if (!(error instanceof IoError)) throw error;
      if (error instanceof StreamError) this.#onStreamError(error);
      else this.#onConnectionError(error);
    }
  }

  /** Acts on what has come already: in Go the reader is faster than whoever waits for it. */
  async settle(): Promise<void> {
    while (this.#framer.hasFrame) await this.step();
  }

  #process(frame: Frame): void {
    switch (frame.kind) {
      case 'headers':
        if (frame.streamID === this.stream?.id) this.stream.onHeaders(frame);
        return;
      case 'data':
        return this.#processData(frame);
      case 'rstStream':
        return this.#processReset(frame.streamID, frame.code);
      case 'settings':
        return this.#processSettings(frame);
      case 'ping':
        if (!frame.ack) this.write(encodeFrame('ping', FLAGS.ack, 0, frame.data));
        return;
      case 'goAway':
        return this.#processGoAway(frame);
      case 'windowUpdate':
        return this.window.update(frame.streamID, frame.increment);
      case 'pushPromise':
      case 'other':
        return;
    }
  }

  #processData(frame: Frame & { kind: 'data' }): void {
    this.#unacknowledged += frame.length;
    if (this.#unacknowledged >= WINDOW_STEP) {
      // Both windows stay open: what a call takes is limited elsewhere.
      const increment = encodeUint32(this.#unacknowledged);
      this.#unacknowledged = 0;
      this.write(encodeFrame('windowUpdate', 0, 0, increment));
      this.write(encodeFrame('windowUpdate', 0, frame.streamID, increment));
    }
    if (frame.streamID !== this.stream?.id) return;
    this.stream.onData(frame);
    if (!frame.endStream) return;
    const why = 'server closed the stream without sending trailers';
    this.stream.onEnd({ read: 'EOF', status: status('Internal', why), unprocessed: false });
  }

  /** Ports handleRSTStream (http2_client.go). */
  #processReset(streamID: number, code: number): void {
    if (streamID !== this.stream?.id) return;
    const why = `stream terminated by RST_STREAM with error code: ${errorName(code)}`;
    const reset = status(codeOfReset(code), why);
    const unprocessed = errorName(code) === 'REFUSED_STREAM';
    this.stream.onEnd({ read: reset, status: reset, unprocessed });
  }

  #processSettings({ ack, settings }: Frame & { kind: 'settings' }): void {
    if (ack) return;
    for (const [id, value] of settings) {
      if (id === SETTINGS.maxConcurrentStreams) this.maxStreams = value;
      if (id === SETTINGS.maxHeaderListSize) this.maxHeaderListSize = value;
      if (id === SETTINGS.initialWindowSize) this.window.setInitial(value);
    }
    this.write(encodeFrame('settings', FLAGS.ack, 0));
  }

  /** Ports handleGoAway (http2_client.go). */
  #processGoAway({ lastStreamID, code, debug }: Frame & { kind: 'goAway' }): void {
    if (lastStreamID > 0 && lastStreamID % 2 === 0) return;
    if (this.isDraining && lastStreamID > this.#previousGoAwayID) return;
    if (!this.isDraining) {
      const data = debug.length === 0 ? '' : `, debug data: ${quote(debug.toString('latin1'))}`;
      this.#goAwayText = `code: ${errorName(code)}${data}`;
      this.isDraining = true;
    }
    const upper = this.#previousGoAwayID === 0 ? Infinity : this.#previousGoAwayID;
    this.#previousGoAwayID = lastStreamID;
    const id = this.stream?.id;
    if (id === undefined || id <= lastStreamID || id > upper) return;
    this.stream?.onEnd({
      read: status('Unavailable', 'the connection is draining'),
      status: status(
        'Unavailable',
        'the stream is rejected because server is draining the connection',
      ),
      unprocessed: true,
    });
  }

  /** The response is malformed HTTP/2. */
  #onStreamError({ streamID, code, why }: StreamError): void {
    if (streamID !== this.stream?.id) return;
    const malformed = status(codeOfReset(code), why ?? 'received invalid frame');
    this.stream.onEnd({ read: malformed, status: malformed, unprocessed: false });
  }

  /** Ports Close (http2_client.go), as its streams see it. */
  #onConnectionError(error: IoError): void {
    this.isDraining = true;
    // Somebody else writes in Go, and the reader hears of a reset first.
    const cause = error === EOF_ERROR ? (this.#conn.reset ?? error) : error;
    const desc = `error reading from server: ${cause.message}`;
    const why = `closing transport due to: connection error: desc = ${quote(desc)}, received prior goaway: `;
    const told = this.#goAwayText === '' ? desc : why + this.#goAwayText;
    const closed = status('Unavailable', told);
    this.close();
    this.stream?.onEnd({ read: closed, status: closed, unprocessed: false });
  }
}
