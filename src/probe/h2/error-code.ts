import { IoError } from '../io-error.js';

/** RFC 9113, section 7. */
const NAMES = [
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
] as const;

export type ErrorName = (typeof NAMES)[number];

export function errorCode(name: ErrorName): number {
  return NAMES.indexOf(name);
}

/** Ports ErrCode.String (golang.org/x/net/http2/errors.go). */
export function errorName(code: number): string {
  return NAMES[code] ?? `unknown error code 0x${code.toString(16)}`;
}

/** Ends the connection. Ports ConnectionError (golang.org/x/net/http2/errors.go). */
export class ConnectionError extends IoError {
  readonly code: number;

  constructor(
    name: ErrorName,
    /** What was wrong, which the text does not tell. */
    readonly detail?: string,
  ) {
    super(`connection error: ${name}`);
    this.code = errorCode(name);
  }
}

/** Ends a stream. Ports StreamError (golang.org/x/net/http2/errors.go). */
export class StreamError extends IoError {
  constructor(
    readonly streamID: number,
    readonly code: number,
    readonly why?: string,
  ) {
    const because = why === undefined ? '' : `; ${why}`;
    super(`stream error: stream ID ${streamID}; ${errorName(code)}${because}`);
  }
}

/** The cause of a stream error that the peer sent. */
export const FROM_PEER = 'received from peer';
