import {
  CLIENT_PREFACE,
  FLAGS,
  FRAME_HEADER_SIZE,
  FRAME_TYPES,
  type FrameHeader,
  parseFrameHeader,
} from './h2/frame.js';
import { type HeaderField, HpackDecoder } from './h2/hpack-decoder.js';
import type { ServerConn } from './server-conn.js';

export interface H2Request {
  readonly streamID: number;
  readonly path: string;
}

/** Reads the frames of a client as a server does, and records its requests. */
export class H2Recorder {
  readonly #decoder = new HpackDecoder(1 << 20);
  readonly #open = new Map<number, { readonly fields: HeaderField[]; data: Buffer }>();

  constructor(private readonly record: (text: string) => void) {}

  /** The request that a frame completes. */
  take({ type, flags, streamID }: FrameHeader, payload: Buffer): H2Request | undefined {
    if (type === FRAME_TYPES.headers) {
      const fields: HeaderField[] = [];
      this.#decoder.write(headerBlock(flags, payload), (field) => fields.push(field));
      this.#decoder.close();
      this.#open.set(streamID, { fields, data: Buffer.alloc(0) });
    }
    const request = this.#open.get(streamID);
    if (!request) return undefined;
    if (type === FRAME_TYPES.data) request.data = Buffer.concat([request.data, payload]);
    const carries = type === FRAME_TYPES.headers || type === FRAME_TYPES.data;
    if (!carries || (flags & FLAGS.endStream) === 0) return undefined;
    this.#open.delete(streamID);
    this.record(requestText(request.fields, request.data));
    const path = request.fields.find(({ name }) => name === ':path')?.value ?? '';
    return { streamID, path: path.split('?', 1)[0] ?? '' };
  }
}

function headerBlock(flags: number, payload: Buffer): Buffer {
  const padding = (flags & FLAGS.padded) === 0 ? 0 : (payload[0] ?? 0);
  const start = ((flags & FLAGS.padded) === 0 ? 0 : 1) + ((flags & FLAGS.priority) === 0 ? 0 : 5);
  return payload.subarray(start, payload.length - padding);
}

/** Pseudo-headers in their order, the rest sorted, then the payload in hex. */
function requestText(fields: readonly HeaderField[], data: Buffer): string {
  const lineOf = ({ name, value }: HeaderField): string => `${name}: ${value}`;
  const pseudo = fields.filter(({ name }) => name.startsWith(':')).map(lineOf);
  const rest = fields.filter(({ name }) => !name.startsWith(':')).map(lineOf);
  const text = `${[...pseudo, ...rest.sort()].join('\n')}\n`;
  return data.length === 0 ? text : `${text}\n${data.toString('hex')}\n`;
}

/** Whether the client begins with HTTP/2's preface; undefined when it is gone. */
export async function readPreface(conn: ServerConn): Promise<boolean | undefined> {
  while (conn.buffer.length < CLIENT_PREFACE.length) {
    if (!(await conn.fill())) return undefined;
    if (!CLIENT_PREFACE.startsWith(conn.buffer.toString('latin1', 0, CLIENT_PREFACE.length))) {
      return false;
    }
  }
  return conn.take(CLIENT_PREFACE.length).toString('latin1') === CLIENT_PREFACE;
}

export async function readFrame(
  conn: ServerConn,
): Promise<{ readonly header: FrameHeader; readonly payload: Buffer } | undefined> {
  while (conn.buffer.length < FRAME_HEADER_SIZE) if (!(await conn.fill())) return undefined;
  const header = parseFrameHeader(conn.buffer);
  while (conn.buffer.length < FRAME_HEADER_SIZE + header.length) {
    if (!(await conn.fill())) return undefined;
  }
  conn.take(FRAME_HEADER_SIZE);
  return { header, payload: Buffer.from(conn.take(header.length)) };
}
