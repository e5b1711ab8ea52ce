import { type ByteString } from '../../go/byte-string.js';

/** HealthCheckResponse.ServingStatus (grpc_health_v1). */
const SERVING_STATUSES = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'];

/** An enum's value that has no name is shown as a number. */
export function servingStatusName(status: number): string {
  return SERVING_STATUSES[status] ?? String(status);
}

/** A HealthCheckRequest for a service. */
export function encodeHealthRequest(service: ByteString): Buffer {
  if (service === '') return Buffer.alloc(0);
  const name = Buffer.from(service, 'latin1');
  return Buffer.concat([Buffer.from([0x0a, ...varint(name.length)]), name]);
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return [...bytes, rest];
}

export interface ProtoField {
  readonly number: number;
  readonly value: bigint | Buffer;
}

/** The fields of a message on the wire; undefined when it does not parse. Ports protowire.ConsumeField. */
export function decodeFields(message: Buffer): ProtoField[] | undefined {
  const fields: ProtoField[] = [];
  for (let at = 0; at < message.length;) {
    const field = readField(message, at, 0);
    if (!field) return undefined;
    fields.push(field);
    at = field.at;
  }
  return fields;
}

/** The status of a HealthCheckResponse; undefined when it does not parse. */
export function decodeHealthResponse(message: Buffer): number | undefined {
  const fields = decodeFields(message);
  if (!fields) return undefined;
  const last = fields
    .filter(({ number, value }) => number === 1 && typeof value === 'bigint')
    .at(-1);
  return typeof last?.value === 'bigint' ? Number(BigInt.asIntN(32, last.value)) : 0;
}

type Read<T> = (T & { readonly at: number }) | undefined;

const MAX_DEPTH = 10_000;

function readField(message: Buffer, start: number, depth: number): Read<ProtoField> {
  const tag = readVarint(message, start);
  if (!tag) return undefined;
  const number = Number(tag.value >> 3n);
  if (number < 1 || number > 2 ** 29 - 1) return undefined;
  const { at } = tag;
  switch (Number(tag.value & 7n)) {
    case 0: {
      const value = readVarint(message, at);
      return value && { number, value: value.value, at: value.at };
    }
    case 1:
      return readBytes(message, number, at, 8);
    case 2: {
      const length = readVarint(message, at);
      return length && readBytes(message, number, length.at, Number(length.value));
    }
    case 3:
      return depth > MAX_DEPTH ? undefined : readGroup(message, number, at, depth + 1);
    case 5:
      return readBytes(message, number, at, 4);
    default:
      return undefined;
  }
}

function readBytes(message: Buffer, number: number, at: number, size: number): Read<ProtoField> {
  if (size > message.length - at) return undefined;
  return { number, value: message.subarray(at, at + size), at: at + size };
}

/** A group goes to the end tag of the same number. */
function readGroup(
  message: Buffer,
  number: number,
  start: number,
  depth: number,
): Read<ProtoField> {
  for (let at = start; ;) {
    const tag = readVarint(message, at);
    if (!tag) return undefined;
    if ((tag.value & 7n) === 4n) {
      if (Number(tag.value >> 3n) !== number) return undefined;
      return { number, value: message.subarray(start, at), at: tag.at };
    }
    const field = readField(message, at, depth);
    if (!field) return undefined;
    at = field.at;
  }
}

function readVarint(message: Buffer, start: number): Read<{ readonly value: bigint }> {
  let value = 0n;
  for (let i = 0; i < 10; i++) {
    const byte = message[start + i];
    if (byte === undefined || (i === 9 && byte > 1)) return undefined;
    value |= BigInt(byte & 0x7f) << BigInt(7 * i);
    if (byte < 0x80) return { value, at: start + i + 1 };
  }
  return undefined;
}
