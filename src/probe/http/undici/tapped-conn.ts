import type { ByteString } from '../../../go/byte-string.js';
import { IoError } from '../../io-error.js';
import type { Conn } from '../../net/conn.js';
import type { ResponseSource } from '../read-response.js';
import { UndiciSocket } from './undici-socket.js';

/** Small enough for Node's pool of buffers. */
const CHUNK = 2048;
/** What a client may read of a connection without having found a response's head. */
const MAX_KEPT = 64 * 1024;

/** Made once: an error is dear, and each stream is ended. */
const OVER = new IoError('the attempt is over');
const TOO_LONG = new IoError('too long a head');

/** A connection that a client reads through a stream, and that somebody else can read again from its first byte. */
export class TappedConn implements ResponseSource {
  readonly stream: UndiciSocket;
  /** The request, as the client has written it. */
  sent: ByteString = '';
  /** Why no more will come, when it is not the end. */
  failure: IoError | undefined;
  readonly #conn: Conn;
  readonly #onByte: () => void;
  #isKeeping = true;
  #kept: Buffer[] = [];
  #keptSize = 0;
  #ended = false;
  #isFeeding = false;
  #reading: Promise<Buffer | undefined> | undefined;

  constructor(conn: Conn, onByte: () => void) {
    this.#conn = conn;
    this.#onByte = onByte;
    this.stream = new UndiciSocket({
      write: (text) => this.#write(text),
      take: () => {
        void this.#feed();
        return null;
      },
    });
  }

  get writeFailure(): IoError | undefined {
    return this.#conn.writeFailure;
  }

  close(): void {
    this.endStream();
    this.#conn.close();
  }

  /** Takes the stream from the client, for whom a clean end could be the end of a response. */
  endStream(): void {
    this.stream.destroy(OVER);
  }

  /** What has come up to the first empty line. */
  get head(): ByteString {
    const text = Buffer.concat(this.#kept).toString('latin1');
    return text.slice(0, text.indexOf('\r\n\r\n') + 4);
  }

  /** Nobody will read it again. */
  forget(): void {
    this.#isKeeping = false;
    this.#kept = [];
  }

  /** Takes the connection from the client and reads it again. */
  async read(into: Uint8Array): Promise<number> {
    this.endStream();
    while (this.#kept.length === 0) {
      if (this.#ended) return 0;
      if (this.failure) return this.#fail(this.failure);
      await this.#next();
    }
    return this.#take(into);
  }

  /** Once: after it comes the end, as on any connection. */
  #fail(error: IoError): never {
    this.#ended = true;
    throw error;
  }

  #take(into: Uint8Array): number {
    const [chunk] = this.#kept;
    if (!chunk) return 0;
    const size = Math.min(chunk.length, into.length);
    into.set(chunk.subarray(0, size));
    if (size === chunk.length) this.#kept.shift();
    else this.#kept[0] = chunk.subarray(size);
    return size;
  }

  #write(text: string): void {
    this.sent = inOrderOfGo(text);
    this.#conn.write(this.sent);
  }

  /** Gives the client what comes next; asked again meanwhile, it does so once. */
  async #feed(): Promise<void> {
    if (this.#isFeeding) return;
    this.#isFeeding = true;
    const chunk = await this.#next();
    this.#isFeeding = false;
    if (this.stream.destroyed) return;
    if (this.failure) this.stream.destroy(this.failure);
    else if (this.#keptSize > MAX_KEPT) this.stream.destroy(TOO_LONG);
    else if (chunk) this.stream.push(chunk);
    else this.stream.end();
  }

  /** What comes next; undefined at the end, or with a failure. One read at a time, whoever asks. */
  #next(): Promise<Buffer | undefined> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<Buffer | undefined> {
    const buffer = Buffer.allocUnsafe(CHUNK);
    try {
      const size = await this.#conn.read(buffer);
      if (size > 0) return this.#keep(buffer.subarray(0, size));
      this.#ended = true;
    } catch (error) {
      if (!(error instanceof IoError)) throw error;
      this.failure = error;
    }
    return undefined;
  }

  #keep(chunk: Buffer): Buffer {
    this.#onByte();
    if (this.#isKeeping) {
      this.#kept.push(chunk);
      this.#keptSize += chunk.length;
    }
    return chunk;
  }
}

/** undici begins with what Go ends with, in other letters. No server should care, but one may show what it was sent. */
function inOrderOfGo(head: ByteString): ByteString {
  return head.replace(
    /^([^\r]*\r\n)host(:[^\r]*\r\n)connection: close\r\n([^]*)\r\n$/,
    '$1Host$2$3Connection: close\r\n\r\n',
  );
}
