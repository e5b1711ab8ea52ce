import { Socket } from 'node:net';

type Done = (error?: Error | null) => void;
type Chunks = readonly { readonly chunk: unknown; readonly encoding: BufferEncoding }[];

/** What such a socket tells of a write that failed. */
export const WRITE_FAILED = 'writeFailed';

/** As Go has it. Known to the constructor only, and to no type. */
const NO_DELAY = { noDelay: true };

/**
 * A socket that stays readable when a write fails, as in Go: what the peer sent before its reset is
 * read first. A plain one is destroyed with all that it holds.
 */
export class ReadableSocket extends Socket {
  constructor() {
    super({ allowHalfOpen: true, ...NO_DELAY });
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
