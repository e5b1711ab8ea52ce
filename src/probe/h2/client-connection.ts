import { UNEXPECTED_EOF_ERROR } from '../http/bufio.js';
import { IoError } from '../io-error.js';
import type { Conn } from '../net/conn.js';
import { ConnectionError, errorCode, errorName, StreamError } from './error-code.js';
import {
  CLIENT_PREFACE,
  encodeFrame,
  encodeSettings,
  encodeUint32,
  FLAGS,
  type Frame,
  SETTINGS,
} from './frame.js';
import { type GoAway, goAwayError, GracefulGoAway } from './go-away.js';

const STREAM_ID = 1;
const MAX_WINDOW = 2 ** 31 - 1;

/** Ports the settings of newClientConn (golang.org/x/net/http2/transport.go). */
const CLIENT_SETTINGS = [
  [SETTINGS.enablePush, 0],
  [SETTINGS.initialWindowSize, 4 << 20],
  [SETTINGS.maxFrameSize, 16 << 10],
  [SETTINGS.maxHeaderListSize, 10 << 20],
] as const;
const CONNECTION_WINDOW = 1 << 30;

type ConnectionFrame = Exclude<Frame, { kind: 'headers' | 'data' | 'rstStream' }>;

/** What concerns a connection, and not its stream. Ports a part of clientConnReadLoop (golang.org/x/net/http2/transport.go). */
export class ClientConnection {
  readonly #conn: Conn;
  #gotSettings = false;
  #wantsAck = true;
  #goAway: GoAway | undefined;
  #window = 65535;
  #streamWindow = 65535;
  #initialWindow = 65535;

  constructor(conn: Conn) {
    this.#conn = conn;
  }

  /** Sends the preface and, behind it, the request. */
  open(request: readonly Buffer[]): void {
    const window = encodeFrame('windowUpdate', 0, 0, encodeUint32(CONNECTION_WINDOW));
    const preface = [Buffer.from(CLIENT_PREFACE), encodeSettings(CLIENT_SETTINGS), window];
    this.#conn.write(Buffer.concat([...preface, ...request]));
  }

  /** The first frame has to be SETTINGS. */
  checkOrder(frame: Frame): void {
    if (!this.#gotSettings && frame.kind !== 'settings')
      throw new ConnectionError('PROTOCOL_ERROR');
    this.#gotSettings = true;
  }

  /** How streams are told of a connection's end. Ports cleanup (golang.org/x/net/http2/transport.go). */
  failure(error: IoError): IoError {
    const isRead = error.message === 'EOF' || error.message.startsWith('read tcp ');
    if (this.#goAway && isRead) return goAwayError(this.#goAway);
    return error.message === 'EOF' ? UNEXPECTED_EOF_ERROR : error;
  }

  process(frame: ConnectionFrame): void {
    switch (frame.kind) {
      case 'settings':
        return this.#processSettings(frame);
      case 'ping':
        if (!frame.ack) this.#conn.write(encodeFrame('ping', FLAGS.ack, 0, frame.data));
        return;
      case 'goAway':
        return this.#processGoAway(frame);
      case 'windowUpdate':
        return this.#processWindowUpdate(frame.streamID, frame.increment);
      case 'pushPromise':
        throw new ConnectionError('PROTOCOL_ERROR');
      case 'other':
        return;
    }
  }

  #processSettings({ ack, settings }: Frame & { kind: 'settings' }): void {
    if (ack) {
      if (!this.#wantsAck) throw new ConnectionError('PROTOCOL_ERROR');
      this.#wantsAck = false;
      return;
    }
    for (const [id, value] of settings) {
      if (id === SETTINGS.initialWindowSize) {
        this.#streamWindow += value - this.#initialWindow;
        this.#initialWindow = value;
      }
      if (id === SETTINGS.enableConnectProtocol && value > 1) {
        throw new ConnectionError('PROTOCOL_ERROR');
      }
    }
    this.#conn.write(encodeFrame('settings', FLAGS.ack, 0));
  }

  /** Ports setGoAway (golang.org/x/net/http2/transport.go). */
  #processGoAway({ lastStreamID, code, debug }: GoAway): void {
    const old = this.#goAway;
    const merged = old && old.code !== 0 ? old.code : code;
    const shown = old && old.debug.length > 0 ? old.debug : Buffer.from(debug);
    this.#goAway = { lastStreamID, code: merged, debug: shown };
    if (lastStreamID >= STREAM_ID) return;
    if (merged === 0) throw new GracefulGoAway();
    throw new IoError(`http2: Transport received GOAWAY from server ErrCode:${errorName(merged)}`);
  }

  #processWindowUpdate(streamID: number, increment: number): void {
    if (streamID === 0) {
      this.#window += increment;
      if (this.#window > MAX_WINDOW) throw new ConnectionError('FLOW_CONTROL_ERROR');
    } else if (streamID === STREAM_ID) {
      this.#streamWindow += increment;
      if (this.#streamWindow > MAX_WINDOW) {
        throw new StreamError(STREAM_ID, errorCode('FLOW_CONTROL_ERROR'));
      }
    }
  }
}
