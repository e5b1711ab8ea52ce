import { Readable } from 'node:stream';

import { expect, it } from 'vitest';

import { readFrames } from '../../../src/runtime/container/api-engine.js';

function frame(stream: number, text: string): Buffer {
  const header = Buffer.from([stream, 0, 0, 0, 0, 0, 0, 0]);
  header.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([header, Buffer.from(text)]);
}

const BYTES = Buffer.concat([frame(1, 'out'), frame(2, 'error'), frame(1, ''), frame(1, 'put')]);

it.each([1, 2, 3, 7, 8, 9, 11, BYTES.length])(
  'frames that arrive in chunks of %i bytes are the same two streams',
  async (size) => {
    const chunks = Array.from({ length: Math.ceil(BYTES.length / size) }, (_, index) =>
      BYTES.subarray(index * size, (index + 1) * size),
    );
    const read = { out: '', error: '' };
    await readFrames(Readable.from(chunks), (isError, data) => {
      read[isError ? 'error' : 'out'] += data.toString();
    });
    expect(read).toEqual({ out: 'output', error: 'error' });
  },
);
