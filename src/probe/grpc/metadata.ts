import type { ByteString } from '../../go/byte-string.js';
import { quote } from '../../go/quote.js';
import { decodeFields } from './health-message.js';
import { codeName, type Status, status } from './status.js';

/** Undoes the percent-encoding of a grpc-message. Ports decodeGrpcMessage (internal/transport/http_util.go). */
export function decodeGrpcMessage(message: ByteString): ByteString {
  return message.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** What is wrong with a binary header's base64, if anything. Ports decodeBinHeader (http_util.go) and its CorruptInputError. */
export function base64Problem(value: ByteString): string | undefined {
  const isPadded = value.length % 4 === 0;
  const digits = /^[A-Za-z0-9+/]*/.exec(value)?.[0].length ?? 0;
  const padding = isPadded ? /^={0,2}$/.test(value.slice(digits)) : digits === value.length;
  const isWhole = isPadded || digits % 4 !== 1;
  if (padding && isWhole) return undefined;
  return `illegal base64 data at input byte ${Math.min(digits, value.length)}`;
}

/** The status with what grpc-status-details-bin says of it. Ports NewWithProto (internal/status/status.go). */
export function statusWithDetails(plain: Status, details: readonly ByteString[]): Status {
  const [only] = details;
  if (only === undefined || details.length > 1) return plain;
  const fields = decodeFields(Buffer.from(only, 'base64'));
  if (!fields) return plain;
  let code = 0;
  let message = '';
  for (const { number, value } of fields) {
    if (number === 1 && typeof value === 'bigint') code = Number(BigInt.asUintN(32, value));
    if (number === 2 && typeof value !== 'bigint') message = value.toString('latin1');
  }
  if (code === plain.code) return { code, message };
  const told = `grpc-status=${codeName(plain.code)}, grpc-message=${quote(plain.message)}`;
  const shown = [
    code === 0 ? '' : `code:${code}`,
    message === '' ? '' : `message:${quote(message)}`,
  ];
  const proto = shown.filter((each) => each !== '').join(' ');
  return status(
    'Internal',
    `grpc-status-details-bin mismatch: ${told}, grpc-status-details-bin=${proto}`,
  );
}
