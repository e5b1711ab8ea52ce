import type { ByteString } from '../../go/byte-string.js';
import { encodeFrame, FLAGS, type Frame } from '../h2/frame.js';
import { encodeHeaderBlock } from '../h2/hpack-encode.js';
import type { GrpcConnection, StreamEnd, StreamHandler } from './connection.js';
import { operateHeaders } from './response-headers.js';
import { type Status, status } from './status.js';

export const MESSAGE_HEADER_SIZE = 5;

type Fields = readonly (readonly [name: ByteString, value: ByteString])[];

/** The stream of one call. */
export class UnaryStream implements StreamHandler {
  readonly id: number;
  encoding: ByteString = '';
  end: StreamEnd | undefined;
  readonly #connection: GrpcConnection;
  #sawHeaders = false;
  #data: Buffer[] = [];
  #size = 0;

  constructor(connection: GrpcConnection) {
    this.#connection = connection;
    this.id = connection.nextStreamID;
    connection.nextStreamID += 2;
    connection.stream = this;
  }

  send(fields: Fields, message: Buffer): void {
    const block = encodeHeaderBlock(fields);
    this.#connection.write(encodeFrame('headers', FLAGS.endHeaders, this.id, block));
    const prefix = Buffer.alloc(MESSAGE_HEADER_SIZE);
    prefix.writeUInt32BE(message.length, 1);
    this.#connection.window.send(this.id, Buffer.concat([prefix, message]));
  }

  async awaitHeaders(): Promise<void> {
    while (!this.#sawHeaders && !this.end) await this.#connection.step();
  }

  /** So many bytes, or how the stream ended before. */
  async read(size: number): Promise<Buffer | StreamEnd['read']> {
    while (this.#size < size && !this.end) await this.#connection.step();
    const data = Buffer.concat(this.#data);
    const isWhole = data.length >= size;
    const rest = data.subarray(isWhole ? size : data.length);
    this.#data = [rest];
    this.#size = rest.length;
    return isWhole ? data.subarray(0, size) : (this.end?.read ?? 'EOF');
  }

  onHeaders({ fields, truncated, endStream }: Frame & { kind: 'headers' }): void {
    if (this.end) return;
    if (this.#sawHeaders && !endStream) {
      return this.#breakOff(
        status('Internal', 'a HEADERS frame cannot appear in the middle of a stream'),
      );
    }
    if (truncated)
      return this.#breakOff(status('Internal', 'peer header list size exceeded limit'));
    const verdict = operateHeaders(fields, endStream, !this.#sawHeaders);
    switch (verdict.kind) {
      case 'ignored':
        return;
      case 'initial':
        this.#sawHeaders = true;
        this.encoding = verdict.encoding;
        return;
      case 'trailers':
        return this.onEnd({ read: 'EOF', status: verdict.status, unprocessed: false });
      case 'broken':
        return this.#breakOff(verdict.status);
    }
  }

  onData({ data }: Frame & { kind: 'data' }): void {
    if (this.end) return;
    this.#data.push(data);
    this.#size += data.length;
  }

  /** The first end counts, but a later one may still tell that nobody has looked at the call. */
  onEnd(end: StreamEnd): void {
    const unprocessed = (this.end?.unprocessed ?? false) || end.unprocessed;
    this.end = { ...(this.end ?? end), unprocessed };
  }

  #breakOff(of: Status): void {
    this.onEnd({ read: of, status: of, unprocessed: false });
  }
}
