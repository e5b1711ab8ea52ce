import { type ClientHttp2Stream, constants } from 'node:http2';

import type { ByteString } from '../../go/byte-string.js';
import type { IoError } from '../../go/io-error.js';

export type Fields = readonly (readonly [name: ByteString, value: ByteString])[];

export interface GoAway {
  readonly lastStreamID: number;
  readonly code: number;
  readonly debug: Buffer;
}

export type StreamEnd =
  | { readonly kind: 'complete' }
  | { readonly kind: 'reset'; readonly code: number }
  /** The server has not processed it. */
  | { readonly kind: 'goAway'; readonly goAway: GoAway }
  /** The connection ended. */
  | { readonly kind: 'lost'; readonly error: IoError; readonly goAway: GoAway | undefined }
  /** node:http2 rejected what the server sent. */
  | { readonly kind: 'malformed'; readonly what: 'stream' | 'connection' };

type StreamEvent =
  | { readonly kind: 'headers'; readonly fields: Fields; readonly endStream: boolean }
  | { readonly kind: 'data'; readonly data: Buffer }
  | { readonly kind: 'end'; readonly end: StreamEnd };

/** Bytes that may wait to be read before the server has to wait. */
const HIGH_WATER = 16 * 1024;

/** A request under way: the headers and data of its response, in order. */
export class H2Stream {
  #stream: ClientHttp2Stream | undefined;
  readonly #events: StreamEvent[] = [];
  #size = 0;
  #trailers: Fields | undefined;
  #end: StreamEvent | undefined;
  #wake: (() => void) | undefined;

  constructor(readonly id: number) {}

  attach(stream: ClientHttp2Stream): void {
    this.#stream = stream;
    const onHeaders = (_headers: object, flags: number, raw: readonly string[]): void => {
      const endStream = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
      this.#add({ kind: 'headers', fields: pairs(raw), endStream });
    };
    stream.on('headers', onHeaders);
    stream.on('response', onHeaders);
    // Node emits headers a tick late: data would overtake those in front of it, and trailers the data.
    stream.once('response', () => stream.on('data', (data: Buffer) => this.#onData(data)));
    stream.on('trailers', (_headers: object, _flags: number, raw: readonly string[]) => {
      this.#trailers = pairs(raw);
    });
    stream.on('end', () => this.#onEnd());
    stream.on('close', () => this.#onEnd());
    stream.on('error', () => undefined);
  }

  /** Returns the next event; once the stream has ended, each call returns the end. */
  async next(): Promise<StreamEvent> {
    for (;;) {
      const event = this.#events.shift() ?? this.#end;
      if (event?.kind === 'data') {
        this.#size -= event.data.length;
        if (this.#size < HIGH_WATER) this.#stream?.resume();
      }
      if (event) return event;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Ends the stream; an end after the first is ignored. */
  end(end: StreamEnd): void {
    this.#end ??= { kind: 'end', end };
    this.#wake?.();
  }

  #add(event: StreamEvent): void {
    if (this.#end) return;
    this.#events.push(event);
    this.#wake?.();
  }

  #onData(data: Buffer): void {
    this.#add({ kind: 'data', data });
    this.#size += data.length;
    if (this.#size >= HIGH_WATER) this.#stream?.pause();
  }

  #onEnd(): void {
    const { rstCode = 0, readableEnded = false } = this.#stream ?? {};
    const isComplete = readableEnded && rstCode === constants.NGHTTP2_NO_ERROR;
    if (isComplete && this.#trailers) {
      this.#add({ kind: 'headers', fields: this.#trailers, endStream: true });
    }
    this.end(isComplete ? { kind: 'complete' } : { kind: 'malformed', what: 'stream' });
  }
}

function pairs(raw: readonly string[]): Fields {
  return Array.from({ length: raw.length / 2 }, (_, i) => [raw[2 * i] ?? '', raw[2 * i + 1] ?? '']);
}

/** RFC 9113, section 7. */
const ERROR_NAMES = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY',
  'HTTP_1_1_REQUIRED',
];

/** Ports ErrCode.String (golang.org/x/net/http2/errors.go). */
export function errorName(code: number): string {
  return ERROR_NAMES[code] ?? `unknown error code 0x${code.toString(16)}`;
}
