import { encodeFrame, FLAGS } from '../h2/frame.js';

const DEFAULT_WINDOW = 65535;
const MAX_FRAME_SIZE = 16 * 1024;

/** What may be sent: a request's message waits where the server's windows are too small for it. */
export class SendWindow {
  readonly #write: (frame: Buffer) => void;
  #connection = DEFAULT_WINDOW;
  #initial = DEFAULT_WINDOW;
  #stream = DEFAULT_WINDOW;
  #streamID = 0;
  #waiting: Buffer | undefined;

  constructor(write: (frame: Buffer) => void) {
    this.#write = write;
  }

  /** Sends a stream's only message, as far as it may go now. */
  send(streamID: number, message: Buffer): void {
    this.#streamID = streamID;
    this.#stream = this.#initial;
    this.#waiting = message;
    this.#flush();
  }

  setInitial(size: number): void {
    this.#stream += size - this.#initial;
    this.#initial = size;
    this.#flush();
  }

  update(streamID: number, increment: number): void {
    if (streamID === 0) this.#connection += increment;
    else if (streamID === this.#streamID) this.#stream += increment;
    this.#flush();
  }

  #flush(): void {
    while (this.#waiting) {
      const allowed = Math.min(this.#connection, this.#stream, MAX_FRAME_SIZE);
      if (allowed <= 0) return;
      const piece = this.#waiting.subarray(0, allowed);
      const isLast = piece.length === this.#waiting.length;
      this.#waiting = isLast ? undefined : this.#waiting.subarray(piece.length);
      this.#connection -= piece.length;
      this.#stream -= piece.length;
      this.#write(encodeFrame('data', isLast ? FLAGS.endStream : 0, this.#streamID, piece));
    }
  }
}
