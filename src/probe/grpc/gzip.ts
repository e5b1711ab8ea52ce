import { type Gunzip, gunzipSync, type ZlibOptions } from 'node:zlib';

import type { ByteString } from '../../go/byte-string.js';
import type { ReleaseBehavior } from '../../kubelet/release.js';
import { type Status, status } from './status.js';

/** gunzipSync with the option `info: true`, which Node's types do not have. */
const gunzip = gunzipSync as unknown as (
  message: Buffer,
  options: ZlibOptions,
) => { readonly buffer: Buffer; readonly engine: Gunzip };

const HEADER_SIZE = 10;
/** Magic number and compression method (compress/gzip/gunzip.go). */
const HEADER_START = Buffer.from([0x1f, 0x8b, 8]);

/** Returns a message without its gzip compression, or the status of an error. Ports decompress (google.golang.org/grpc/rpc_util.go). */
export function decompress(
  message: Buffer,
  maxSize: number,
  { namesDecompressionStep, ignoresPartialMessage }: ReleaseBehavior,
): Buffer | Status {
  const failure = (step: string, problem: string): Status => {
    const failed = namesDecompressionStep ? step : 'decompress the received message';
    return status('Internal', `grpc: failed to ${failed}: ${problem}`);
  };
  const problem = headerProblem(message);
  if (problem !== undefined) return failure('decompress the message', problem);
  const tooLarge = (size: number): Status => {
    const max = namesDecompressionStep ? maxSize : `(${size} vs. ${maxSize})`;
    const text = `grpc: received message after decompression larger than max ${max}`;
    return status('ResourceExhausted', text);
  };
  const claimed = message.readUInt32LE(message.length - 4);
  if (!ignoresPartialMessage && claimed > maxSize) return tooLarge(claimed);
  try {
    const { buffer, engine } = gunzip(message, { maxOutputLength: maxSize, info: true });
    // Node ignores zeros behind the data, where Go expects another header.
    const rest = message.subarray(engine.bytesWritten);
    const trailing = rest.length === 0 ? undefined : headerProblem(rest);
    return trailing === undefined ? buffer : failure('read decompressed data', trailing);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (error.code === 'ERR_BUFFER_TOO_LARGE') return tooLarge(maxSize + 1);
    return failure('read decompressed data', goError(error.message));
  }
}

/** Ports Reader.readHeader (compress/gzip/gunzip.go) up to the optional fields. */
function headerProblem(message: Buffer): string | undefined {
  if (message.length === 0) return 'EOF';
  if (message.length < HEADER_SIZE) return 'unexpected EOF';
  return message.subarray(0, HEADER_START.length).equals(HEADER_START)
    ? undefined
    : 'gzip: invalid header';
}

/** Returns Go's text of an error of zlib. Go also says at which byte the data are corrupt. */
function goError(message: ByteString): string {
  switch (message) {
    case 'unexpected end of file':
      return 'unexpected EOF';
    case 'incorrect header check':
    case 'header crc mismatch':
      return 'gzip: invalid header';
    case 'incorrect data check':
    case 'incorrect length check':
      return 'gzip: invalid checksum';
    default:
      return 'flate: corrupt input';
  }
}
