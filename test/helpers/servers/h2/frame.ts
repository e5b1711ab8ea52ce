import type { HeaderField } from './hpack-decoder.js';

export const FRAME_TYPES = {
  data: 0,
  headers: 1,
  priority: 2,
  rstStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const FLAGS = { endStream: 1, ack: 1, endHeaders: 4, padded: 8, priority: 0x20 } as const;

export const SETTINGS = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
  enableConnectProtocol: 8,
} as const;

export const CLIENT_PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
export const FRAME_HEADER_SIZE = 9;

export interface FrameHeader {
  readonly length: number;
  readonly type: number;
  readonly flags: number;
  readonly streamID: number;
}

interface OnStream {
  readonly streamID: number;
}

/** A frame as it is acted on; a header block is one, with its continuations. */
export type Frame =
  | (OnStream & {
      readonly kind: 'data';
      readonly data: Buffer;
      /** With its padding, as flow control counts it. */
      readonly length: number;
      readonly endStream: boolean;
    })
  | (OnStream & {
      readonly kind: 'headers';
      readonly fields: readonly HeaderField[];
      readonly endStream: boolean;
      /** Some fields were dropped: the list was too long. */
      readonly truncated: boolean;
    })
  | (OnStream & { readonly kind: 'rstStream'; readonly code: number })
  | {
      readonly kind: 'settings';
      readonly ack: boolean;
      readonly settings: readonly (readonly [id: number, value: number])[];
    }
  | { readonly kind: 'ping'; readonly ack: boolean; readonly data: Buffer }
  | {
      readonly kind: 'goAway';
      readonly lastStreamID: number;
      readonly code: number;
      readonly debug: Buffer;
    }
  | (OnStream & { readonly kind: 'windowUpdate'; readonly increment: number })
  | (OnStream & { readonly kind: 'pushPromise' })
  /** A priority, or a type that is not known. */
  | { readonly kind: 'other' };

/** The bytes of a frame. */
export function encodeFrame(
  type: keyof typeof FRAME_TYPES,
  flags: number,
  streamID: number,
  payload: Uint8Array = Buffer.alloc(0),
): Buffer {
  const header = Buffer.alloc(FRAME_HEADER_SIZE);
  header.writeUIntBE(payload.length, 0, 3);
  header[3] = FRAME_TYPES[type];
  header[4] = flags;
  header.writeUInt32BE(streamID, 5);
  return Buffer.concat([header, payload]);
}

export function encodeSettings(settings: readonly (readonly [number, number])[]): Buffer {
  const payload = Buffer.alloc(settings.length * 6);
  settings.forEach(([id, value], i) => {
    payload.writeUInt16BE(id, i * 6);
    payload.writeUInt32BE(value, i * 6 + 2);
  });
  return encodeFrame('settings', 0, 0, payload);
}

export function encodeUint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export function parseFrameHeader(bytes: Buffer): FrameHeader {
  return {
    length: bytes.readUIntBE(0, 3),
    type: bytes[3] ?? 0,
    flags: bytes[4] ?? 0,
    streamID: bytes.readUInt32BE(5) & 0x7fffffff,
  };
}
