import { constants } from 'node:http2';

import { encodeFrame, encodeSettings, encodeUint32, FLAGS, FRAME_TYPES } from './h2/frame.js';
import { encodeHeaderBlock } from './h2/hpack-encode.js';
import { H2Recorder, readFrame, readPreface } from './h2-recorder.js';
import type { ServerConn } from './server-conn.js';
import { bytesOfSpec, type Goaway, type H2Reply, type H2Spec } from './spec.js';

export interface H2Serving {
  readonly spec: H2Spec;
  readonly record: (raw: string) => void;
  readonly pick: (path: string) => H2Reply;
}

const MAX_FRAME = 16384;

/** Plays scripted HTTP/2 frames on a connection. */
export async function serveH2(conn: ServerConn, { spec, record, pick }: H2Serving): Promise<void> {
  if (!(await conn.sleep(spec.delayMs ?? 0))) return;
  const answers = spec.noSettings !== true;
  if (answers && !(await conn.write(opening(spec)))) return;
  const isH2 = await readPreface(conn);
  if (isH2 === undefined) return;
  if (!isH2) {
    await conn.write(goawayFrame({ code: 'PROTOCOL_ERROR' }));
    return conn.finish('close');
  }
  const recorder = new H2Recorder(record);
  for (;;) {
    const frame = await readFrame(conn);
    if (!frame) return;
    const { type, flags } = frame.header;
    const wantsAck = answers && (flags & FLAGS.ack) === 0;
    if (type === FRAME_TYPES.settings && wantsAck) {
      await conn.write(encodeFrame('settings', FLAGS.ack, 0));
    }
    if (type === FRAME_TYPES.ping && wantsAck) {
      await conn.write(encodeFrame('ping', FLAGS.ack, 0, frame.payload));
    }
    const request = recorder.take(frame.header, frame.payload);
    if (!request) continue;
    const reply = pick(request.path);
    if (!(await conn.sleep(reply.delayMs ?? 0))) return;
    if (!(await conn.write(replyFrames(request.streamID, reply)))) return;
    if (reply.end && reply.end !== 'keepOpen') return conn.finish(reply.end);
  }
}

function opening({ settings = [], goaway }: H2Spec): Buffer {
  const frames = [encodeSettings(settings)];
  if (goaway) frames.push(goawayFrame(goaway));
  return Buffer.concat(frames);
}

function goawayFrame({ code, debug = '', lastStream = 0 }: Goaway): Buffer {
  const fixed = [encodeUint32(lastStream), encodeUint32(codeOf(code))];
  return encodeFrame('goAway', 0, 0, Buffer.concat([...fixed, Buffer.from(debug)]));
}

function replyFrames(streamID: number, reply: H2Reply): Buffer {
  const frames: Buffer[] = [];
  const closes = !reply.noEnd && reply.rst === undefined && !reply.goaway;
  const data = bytesOfSpec(reply.data);
  const endStream = (ends: boolean): number => (ends ? FLAGS.endStream : 0);
  const headers = (fields: readonly (readonly [string, string])[], ends: boolean): Buffer => {
    const block = encodeHeaderBlock(fields.map(([name, value]) => [bytes(name), bytes(value)]));
    return encodeFrame('headers', FLAGS.endHeaders | endStream(ends), streamID, block);
  };
  if (reply.headers) {
    frames.push(headers(reply.headers, closes && data.length === 0 && !reply.trailers));
  }
  for (let at = 0; at < data.length; at += MAX_FRAME) {
    const ends = closes && !reply.trailers && at + MAX_FRAME >= data.length;
    frames.push(encodeFrame('data', endStream(ends), streamID, data.subarray(at, at + MAX_FRAME)));
  }
  if (reply.trailers) frames.push(headers(reply.trailers, closes));
  if (reply.rst !== undefined) {
    const code = encodeUint32(codeOf(reply.rst));
    frames.push(encodeFrame('rstStream', 0, streamID, code));
  }
  if (reply.goaway) frames.push(goawayFrame(reply.goaway));
  return Buffer.concat(frames);
}

const NAMES = [
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY',
  'HTTP_1_1_REQUIRED',
];

/** The names that the oracle knows; any other is NO_ERROR to it. */
function codeOf(name: string): number {
  const code = NAMES.includes(name) && (constants as Record<string, unknown>)[`NGHTTP2_${name}`];
  return typeof code === 'number' ? code : 0;
}

function bytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}
