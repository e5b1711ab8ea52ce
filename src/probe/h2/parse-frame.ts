import { UNEXPECTED_EOF_ERROR } from '../http/bufio.js';
import { ConnectionError, errorCode, StreamError } from './error-code.js';
import { FLAGS, type Frame, FRAME_TYPES, type FrameHeader, SETTINGS } from './frame.js';

const MAX_WINDOW_SIZE = 2 ** 31 - 1;

/** Ports parseDataFrame (golang.org/x/net/http2/frame.go). */
export function dataOf({ flags, streamID, length }: FrameHeader, payload: Buffer): Frame {
  if (streamID === 0) throw new ConnectionError('PROTOCOL_ERROR', 'DATA frame with stream ID 0');
  const { rest, padding } = takePadLength(flags, payload);
  if (padding > rest.length) {
    throw new ConnectionError('PROTOCOL_ERROR', 'pad size larger than data payload');
  }
  const data = rest.subarray(0, rest.length - padding);
  return { kind: 'data', streamID, data, length, endStream: (flags & FLAGS.endStream) !== 0 };
}

/** Ports parseHeadersFrame (golang.org/x/net/http2/frame.go). */
export function headerFragment({ flags, streamID }: FrameHeader, payload: Buffer): Buffer {
  if (streamID === 0) throw new ConnectionError('PROTOCOL_ERROR', 'HEADERS frame with stream ID 0');
  const padded = takePadLength(flags, payload);
  const priority = (flags & FLAGS.priority) === 0 ? 0 : 5;
  if (padded.rest.length < priority) throw UNEXPECTED_EOF_ERROR;
  const rest = padded.rest.subarray(priority);
  if (padded.padding > rest.length) throw new StreamError(streamID, errorCode('PROTOCOL_ERROR'));
  return rest.subarray(0, rest.length - padded.padding);
}

function takePadLength(
  flags: number,
  payload: Buffer,
): { readonly rest: Buffer; readonly padding: number } {
  if ((flags & FLAGS.padded) === 0) return { rest: payload, padding: 0 };
  const [padding] = payload;
  if (padding === undefined) throw UNEXPECTED_EOF_ERROR;
  return { rest: payload.subarray(1), padding };
}

/** The frames that carry no data. Ports their parsers (golang.org/x/net/http2/frame.go). */
export function parseControlFrame(header: FrameHeader, payload: Buffer): Frame {
  switch (header.type) {
    case FRAME_TYPES.settings:
      return settingsOf(header, payload);
    case FRAME_TYPES.ping:
      checkSize(payload, 8);
      checkConnectionLevel(header);
      return { kind: 'ping', ack: (header.flags & FLAGS.ack) !== 0, data: payload };
    case FRAME_TYPES.goAway:
      return goAwayOf(header, payload);
    case FRAME_TYPES.windowUpdate:
      return windowUpdateOf(header, payload);
    case FRAME_TYPES.rstStream:
      checkSize(payload, 4);
      checkStreamLevel(header);
      return { kind: 'rstStream', streamID: header.streamID, code: payload.readUInt32BE() };
    case FRAME_TYPES.priority:
      checkStreamLevel(header);
      checkSize(payload, 5);
      return { kind: 'other' };
    case FRAME_TYPES.pushPromise:
      return pushPromiseOf(header, payload);
    default:
      return { kind: 'other' };
  }
}

function checkSize(payload: Buffer, size: number): void {
  if (payload.length !== size) throw new ConnectionError('FRAME_SIZE_ERROR');
}

function checkConnectionLevel({ streamID }: FrameHeader): void {
  if (streamID !== 0) throw new ConnectionError('PROTOCOL_ERROR');
}

function checkStreamLevel({ streamID }: FrameHeader): void {
  if (streamID === 0) throw new ConnectionError('PROTOCOL_ERROR');
}

function settingsOf(header: FrameHeader, payload: Buffer): Frame {
  const ack = (header.flags & FLAGS.ack) !== 0;
  if (ack && payload.length > 0) throw new ConnectionError('FRAME_SIZE_ERROR');
  checkConnectionLevel(header);
  if (payload.length % 6 !== 0) throw new ConnectionError('FRAME_SIZE_ERROR');
  const settings: (readonly [number, number])[] = [];
  for (let at = 0; at < payload.length; at += 6) {
    settings.push([payload.readUInt16BE(at), payload.readUInt32BE(at + 2)]);
  }
  const windowSize = settings.find(([id]) => id === SETTINGS.initialWindowSize);
  if (windowSize && windowSize[1] > MAX_WINDOW_SIZE)
    throw new ConnectionError('FLOW_CONTROL_ERROR');
  return { kind: 'settings', ack, settings };
}

function goAwayOf(header: FrameHeader, payload: Buffer): Frame {
  checkConnectionLevel(header);
  if (payload.length < 8) throw new ConnectionError('FRAME_SIZE_ERROR');
  return {
    kind: 'goAway',
    lastStreamID: payload.readUInt32BE() & 0x7fffffff,
    code: payload.readUInt32BE(4),
    debug: payload.subarray(8),
  };
}

function windowUpdateOf({ streamID }: FrameHeader, payload: Buffer): Frame {
  checkSize(payload, 4);
  const increment = payload.readUInt32BE() & 0x7fffffff;
  if (increment > 0) return { kind: 'windowUpdate', streamID, increment };
  if (streamID === 0) throw new ConnectionError('PROTOCOL_ERROR');
  throw new StreamError(streamID, errorCode('PROTOCOL_ERROR'));
}

function pushPromiseOf(header: FrameHeader, payload: Buffer): Frame {
  checkStreamLevel(header);
  const { rest, padding } = takePadLength(header.flags, payload);
  if (rest.length < 4) throw UNEXPECTED_EOF_ERROR;
  if (padding > rest.length - 4) throw new ConnectionError('PROTOCOL_ERROR');
  return { kind: 'pushPromise', streamID: header.streamID };
}
