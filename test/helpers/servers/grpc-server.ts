import { encodeFrame, encodeSettings, FLAGS, FRAME_TYPES } from './h2/frame.js';
import { encodeHeaderBlock } from './h2/hpack-encode.js';
import { H2Recorder, readFrame, readPreface } from './h2-recorder.js';
import type { ServerConn } from './server-conn.js';
import type { GrpcSpec, ServingStatus } from './spec.js';

const STATUS_NUMBERS: Readonly<Record<ServingStatus, number>> = {
  UNKNOWN: 0,
  SERVING: 1,
  NOT_SERVING: 2,
  SERVICE_UNKNOWN: 3,
};
const CODES = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
];
const MAX_FRAME_SIZE = [[5, 16384]] as const;

/** Plays a grpc-go server with its health service. */
export async function serveGrpc(
  conn: ServerConn,
  spec: GrpcSpec,
  record: (raw: string) => void,
): Promise<void> {
  if (!(await conn.write(encodeSettings(MAX_FRAME_SIZE)))) return;
  const isH2 = await readPreface(conn);
  if (isH2 !== true) return isH2 === undefined ? undefined : conn.finish('close');
  const services = new Map(Object.entries({ '': 'SERVING' as const, ...spec.services }));
  const recorder = new H2Recorder(record);
  let payload: Buffer = Buffer.alloc(0);
  for (;;) {
    const frame = await readFrame(conn);
    if (!frame) return;
    const { header } = frame;
    if (header.type === FRAME_TYPES.settings && (header.flags & FLAGS.ack) === 0) {
      await conn.write(encodeFrame('settings', FLAGS.ack, 0));
    }
    if (header.type === FRAME_TYPES.data) payload = Buffer.concat([payload, frame.payload]);
    const request = recorder.take(header, frame.payload);
    if (!request) continue;
    if (!(await conn.sleep(spec.delayMs ?? 0))) return;
    await conn.write(answer(spec, services, request.streamID, serviceOf(payload)));
    payload = Buffer.alloc(0);
  }
}

function answer(
  spec: GrpcSpec,
  services: ReadonlyMap<string, ServingStatus>,
  streamID: number,
  service: string,
): Buffer {
  const fail = (code: string, message: string): Buffer => trailersOnly(streamID, code, message);
  if (spec.unimplemented) {
    return fail('UNIMPLEMENTED', 'unknown service grpc.health.v1.Health');
  }
  if (spec.code !== undefined && spec.code !== 'OK') return fail(spec.code, spec.message ?? '');
  const status = services.get(service);
  if (status === undefined) return fail('NOT_FOUND', 'unknown service');
  const number = STATUS_NUMBERS[status];
  const body = number === 0 ? [] : [8, number];
  return Buffer.concat([
    headers(streamID, FLAGS.endHeaders, [
      [':status', '200'],
      ['content-type', 'application/grpc'],
    ]),
    encodeFrame('data', 0, streamID, Buffer.from([0, 0, 0, 0, body.length, ...body])),
    headers(streamID, FLAGS.endHeaders | FLAGS.endStream, [
      ['grpc-status', '0'],
      ['grpc-message', ''],
    ]),
  ]);
}

function trailersOnly(streamID: number, code: string, message: string): Buffer {
  const encoded = Buffer.from(message)
    .toString('latin1')
    .replace(/[^ -$&-~]/g, (char) => {
      return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
    });
  return headers(streamID, FLAGS.endHeaders | FLAGS.endStream, [
    [':status', '200'],
    ['content-type', 'application/grpc'],
    ['grpc-status', String(CODES.indexOf(code))],
    ['grpc-message', encoded],
  ]);
}

function headers(
  streamID: number,
  flags: number,
  fields: readonly (readonly [string, string])[],
): Buffer {
  return encodeFrame('headers', flags, streamID, encodeHeaderBlock(fields));
}

/** The service of a HealthCheckRequest, which has no other field: after a tag, its length as a varint. */
function serviceOf(payload: Buffer): string {
  const message = payload.subarray(5);
  const end = message.findIndex((byte, at) => at > 0 && byte < 0x80);
  return message.toString('utf8', end + 1);
}
