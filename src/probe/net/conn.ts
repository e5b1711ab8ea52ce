import { type Duplex, PassThrough } from 'node:stream';

import type { Clock } from '../../clock/clock.js';
import { syscallText } from '../../go/errno.js';
import { IoError } from '../io-error.js';
import { ReadableSocket, WRITE_FAILED } from './readable-socket.js';

/** What may wait to be read before the peer is made to wait. */
const HIGH_WATER = 16 * 1024;
/** What is read in one turn of the event loop: a flood leaves others, and timers, their time. */
const TURN = 16 * 1024;

/** Made once: an error is dear, and each connection is closed. */
const CLOSED = new IoError('use of closed network connection');

export interface ConnAddresses {
  /** `127.0.0.1:40112`, as Go writes it. */
  readonly local: string;
  readonly remote: string;
}

/** What lies between a connection and the network, and knows better what went wrong. */
export interface ConnLayer {
  errorOf(error: Error): IoError;
  /** Why the end came, when it was not a clean one. */
  readonly failure: IoError | undefined;
}

/**
 * A connection that is read when somebody asks, like Go's net.Conn: what came before an error is
 * read first, an error is told once, and after it comes the end.
 */
export class Conn {
  readonly addresses: ConnAddresses;
  /** Why a write failed. Reading goes on: what has come is still there. */
  writeFailure: IoError | undefined;
  /** What a read would have said, had no write been told of the peer's reset before. */
  reset: IoError | undefined;
  readonly #clock: Clock;
  readonly #stream: Duplex;
  readonly #chunks: Uint8Array[] = [];
  readonly #layer: ConnLayer | undefined;
  #waiting = 0;
  #readInTurn = 0;
  #ended = false;
  #error: Error | undefined;
  #aborted: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(clock: Clock, stream: Duplex, addresses: ConnAddresses, layer?: ConnLayer) {
    this.#clock = clock;
    this.#stream = stream;
    this.addresses = addresses;
    this.#layer = layer;
    stream.on('data', (chunk: Uint8Array) => this.#onData(chunk));
    stream.on('end', () => this.#onReadEnd());
    stream.on('close', () => this.#onEnd());
    stream.on('error', (error: NodeJS.ErrnoException) => this.#onError(error));
    stream.on(WRITE_FAILED, (error: NodeJS.ErrnoException) => {
      this.writeFailure ??= this.#errorOf(error);
      if (error.code === 'ECONNRESET') this.reset = this.#errorOf({ ...error, syscall: 'read' });
    });
  }

  /** A connection whose peer has reset it before anything was read. */
  static broken(clock: Clock, addresses: ConnAddresses, reset: Error): Conn {
    const stream = new PassThrough();
    const conn = new Conn(clock, stream, addresses);
    stream.destroy(Object.assign(reset, { syscall: 'read' }));
    return conn;
  }

  /** Reads what there is, at most `into` holds; 0 is the end. Waits only when nothing has come. */
  read(into: Uint8Array): number | Promise<number> {
    if (this.#waiting === 0 && !this.#isOver()) return this.#readLater(into);
    return this.#readInTurn < TURN ? this.#readNow(into) : this.#readNextTurn(into);
  }

  write(data: Uint8Array | string): void {
    if (this.#stream.writable) this.#stream.write(data, 'latin1');
  }

  /** Resolves when what was written has gone out, or cannot any more. */
  async flushed(): Promise<void> {
    const stream = this.#stream;
    if (stream.writableLength === 0 || this.#isOver()) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      stream.write('', () => resolve());
    });
  }

  /** Ends it: what was written still goes out, nothing more is read. */
  close(): void {
    this.abort(CLOSED);
    if (this.#stream.destroyed) return;
    this.#stream.destroy();
  }

  /** Makes whoever reads, now and later, fail with this error. */
  abort(error: Error): void {
    this.#aborted ??= error;
    this.#wakeUp();
  }

  async #readLater(into: Uint8Array): Promise<number> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    return this.#readNow(into);
  }

  async #readNextTurn(into: Uint8Array): Promise<number> {
    await new Promise<void>((resolve) => this.#clock.go(resolve));
    this.#readInTurn = 0;
    return this.#readNow(into);
  }

  #isOver(): boolean {
    return this.#aborted !== undefined || this.#error !== undefined || this.#ended;
  }

  #readNow(into: Uint8Array): number {
    if (this.#aborted) throw this.#aborted;
    const [chunk] = this.#chunks;
    if (chunk) return this.#take(chunk, into);
    const error = this.#error;
    if (error === undefined) return 0;
    this.#error = undefined;
    this.#ended = true;
    throw error;
  }

  #take(chunk: Uint8Array, into: Uint8Array): number {
    const size = Math.min(chunk.length, into.length);
    into.set(size === chunk.length ? chunk : chunk.subarray(0, size));
    if (size === chunk.length) this.#chunks.shift();
    else this.#chunks[0] = chunk.subarray(size);
    this.#waiting -= size;
    this.#readInTurn += size;
    if (this.#waiting < HIGH_WATER && this.#stream.isPaused()) this.#stream.resume();
    return size;
  }

  #onData(chunk: Uint8Array): void {
    if (this.#aborted || chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.#waiting += chunk.length;
    if (this.#waiting >= HIGH_WATER) this.#stream.pause();
    this.#wakeUp();
  }

  /** An end may be a reset: where both come with data, libuv tells of an end, and an empty write of the reset. */
  #onReadEnd(): void {
    if (this.#stream instanceof ReadableSocket && this.#stream.writable) this.#stream.write('');
    if (!this.#ended) this.#error ??= this.reset;
    this.#onEnd();
  }

  #onEnd(): void {
    if (!this.#ended) this.#error ??= this.#layer?.failure;
    this.#ended = true;
    this.#wakeUp();
  }

  #onError(error: NodeJS.ErrnoException): void {
    if (!this.#ended) this.#error = this.#layer?.errorOf(error) ?? this.#errorOf(error);
    this.#wakeUp();
  }

  /** Ports OpError.Error (net/net.go). */
  #errorOf(error: NodeJS.ErrnoException): IoError {
    if (error instanceof IoError) return error;
    const { local, remote } = this.addresses;
    const call = error.syscall === 'write' ? 'write' : 'read';
    return new IoError(`${call} tcp ${local}->${remote}: ${syscallText(error, call)}`);
  }

  #wakeUp(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}
