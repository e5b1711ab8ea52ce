import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import { type Clock, nextTurn } from '../../clock/clock.js';
import { errnoReason, IoError, syscallText } from '../../go/io-error.js';

/** Made once, because errors are costly and each connection is closed. */
const CLOSED = new IoError('use of closed network connection');

/** Bytes that are read within one turn, so that timers fire on time while a target floods. */
const MAX_IN_TURN = 4 * 1024;

export interface ConnAddresses {
  /** `127.0.0.1:40112`, as Go writes it. */
  readonly local: string;
  readonly remote: string;
}

/** A layer between a connection and the network that knows better what went wrong. */
export interface ConnLayer {
  errorOf(error: Error): IoError;
  /** The error behind the end, when it was not a clean one. */
  readonly failure: IoError | undefined;
}

/**
 * A connection like Go's net.Conn: data that came before an error is read first, then the error once, and then the end.
 */
export class Conn {
  readonly addresses: ConnAddresses;
  onData: () => void = ignore;
  /** The error of a failed write. What the peer has sent can still be read. */
  writeFailure: IoError | undefined;
  /** The peer's reset, which a write has reported and a read has not. */
  #reset: IoError | undefined;
  #ended = false;
  #error: Error | undefined;
  #aborted: Error | undefined;
  #wake: () => void = ignore;
  #readInTurn = 0;

  constructor(
    private readonly clock: Clock,
    private readonly stream: Duplex,
    addresses: ConnAddresses,
    private readonly layer?: ConnLayer,
  ) {
    this.addresses = addresses;
    stream.on('readable', () => this.#wake());
    stream.on('end', () => this.#onReadEnd());
    stream.on('close', () => this.#onEnd());
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!this.#ended) this.#error = this.layer?.errorOf(error) ?? this.#errorOf(error);
      this.#wake();
    });
    stream.on(WRITE_FAILED, (error: NodeJS.ErrnoException) => {
      this.writeFailure ??= this.#errorOf(error);
      if (error.code === 'ECONNRESET') this.#reset = this.#errorOf({ ...error, syscall: 'read' });
    });
  }

  /** Reads the data that has arrived, or waits for some; 0 is the end. */
  async read(into: Uint8Array): Promise<number> {
    if (this.#readInTurn >= MAX_IN_TURN) {
      this.#readInTurn = 0;
      await nextTurn(this.clock);
    }
    for (;;) {
      if (this.#aborted) throw this.#aborted;
      const size = Math.min(into.length, this.stream.readableLength, MAX_IN_TURN);
      const chunk = this.stream.read(size === 0 ? undefined : size) as Uint8Array | null;
      if (chunk) {
        this.onData();
        into.set(chunk);
        this.#readInTurn += chunk.length;
        return chunk.length;
      }
      if (this.#error || this.#ended) return this.#readEnd();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  write(data: Uint8Array | string): void {
    if (this.stream.writable) this.stream.write(data, 'latin1');
  }

  /** Resolves when everything has been written, or cannot be. */
  async flushed(): Promise<void> {
    const stream = this.stream;
    if (stream.writableLength === 0 || stream.destroyed) return;
    await new Promise<void>((resolve) => stream.write('', () => resolve()));
  }

  /** Closes it; reads fail from now on. */
  close(): void {
    this.#aborted ??= CLOSED;
    this.#wake();
    this.stream.destroy();
  }

  #readEnd(): number {
    const error = this.#error;
    this.#error = undefined;
    this.#ended = true;
    if (error) throw error;
    return 0;
  }

  /** Looks for a reset: when it comes with data, libuv reports an end, and an empty write reports the reset. */
  #onReadEnd(): void {
    if (this.stream instanceof ReadableSocket && this.stream.writable) this.stream.write('');
    if (!this.#ended) this.#error ??= this.#reset;
    this.#onEnd();
  }

  #onEnd(): void {
    if (!this.#ended) this.#error ??= this.layer?.failure;
    this.#ended = true;
    this.#wake();
  }

  /** Ports OpError.Error (net/net.go). */
  #errorOf(error: NodeJS.ErrnoException): IoError {
    if (error instanceof IoError) return error;
    const { local, remote } = this.addresses;
    if (isRefusal(error)) return refusal(remote);
    const call = error.syscall === 'write' ? 'write' : 'read';
    return new IoError(
      `${call} tcp ${local}->${remote}: ${syscallText(error, call)}`,
      errnoReason(error),
    );
  }
}

/** Recognizes the refusal that a stream through others reports after it has opened. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
}

export function refusal(address: string): IoError {
  return new IoError(`dial tcp ${address}: connect: connection refused`, 'refused');
}

function ignore(): void {
  // No read is waiting.
}

type Done = (error?: Error | null) => void;
type Chunks = readonly { readonly chunk: unknown; readonly encoding: BufferEncoding }[];

const WRITE_FAILED = 'writeFailed';

/**
 * A socket that stays readable when a write fails, as in Go: what the peer sent before its reset is
 * read first. A plain one is destroyed with all that it holds.
 */
export class ReadableSocket extends Socket {
  constructor() {
    // The type of Node's constructor lacks noDelay.
    super({ allowHalfOpen: true, ...{ noDelay: true } });
  }

  override _write(chunk: unknown, encoding: BufferEncoding, done: Done): void {
    super._write(chunk, encoding, (error) => this.#written(error, done));
  }

  override _writev(chunks: Chunks, done: Done): void {
    super._writev?.([...chunks], (error) => this.#written(error, done));
  }

  #written(error: NodeJS.ErrnoException | null | undefined, done: Done): void {
    if (error) this.emit(WRITE_FAILED, error);
    done();
  }
}
