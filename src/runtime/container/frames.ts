const HEADER_LENGTH = 8;
const STDERR = 2;

/** Reads docker's multiplexed stream: frames of a stream's number, three zeros, a length in four bytes, and the data. */
export async function readFrames(
  body: AsyncIterable<Buffer>,
  write: (isError: boolean, data: Buffer) => unknown,
): Promise<void> {
  let rest: Buffer = Buffer.alloc(0);
  let left = 0;
  let isError = false;
  for await (const chunk of body) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= (left === 0 ? HEADER_LENGTH : 1)) {
      if (left === 0) {
        isError = rest[0] === STDERR;
        left = rest.readUInt32BE(4);
        rest = rest.subarray(HEADER_LENGTH);
        continue;
      }
      const data = rest.subarray(0, left);
      left -= data.length;
      rest = rest.subarray(data.length);
      await write(isError, data);
    }
  }
}
