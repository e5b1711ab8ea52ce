import { Stream } from 'node:stream';

/** Where the bytes of such a socket come from, and go to. */
export interface Peer {
  readonly write: (text: string) => void;
  /** What has come already; null when something is to be waited for, or nothing will come any more. */
  readonly take: () => Buffer | null;
}

/**
 * As much of a socket as undici asks of one: it is told when there is something, and reads then. A whole Duplex costs
 * more than the rest of an attempt does.
 */
export class UndiciSocket extends Stream {
  destroyed = false;
  readonly errored = null;
  readonly #peer: Peer;
  #given: Buffer | undefined;

  constructor(peer: Peer) {
    super();
    this.#peer = peer;
  }

  read(): Buffer | null {
    const given = this.#given;
    this.#given = undefined;
    return given ?? this.#peer.take();
  }

  unshift(chunk: Buffer): void {
    if (chunk.length > 0) this.#given = chunk;
  }

  write(text: string): boolean {
    this.#peer.write(text);
    return true;
  }

  /** There is something to read. */
  push(chunk: Buffer): void {
    this.#given = chunk;
    this.#tell('readable');
  }

  /** Nothing more will come. */
  end(): void {
    this.#tell('end');
  }

  destroy(error?: Error): this {
    if (this.destroyed) return this;
    this.destroyed = true;
    queueMicrotask(() => {
      if (error) this.#tell('error', error);
      this.#tell('close');
    });
    return this;
  }

  /** undici makes an error whenever a connection ends, which nobody is shown: its stack would cost more than parsing. */
  #tell(event: string, error?: Error): void {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    try {
      this.emit(event, error);
    } finally {
      Error.stackTraceLimit = limit;
    }
  }
}
