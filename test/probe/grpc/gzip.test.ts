import { gzipSync } from 'node:zlib';

import { expect, test } from 'vitest';

import { behaviorOf } from '../../../src/kubelet/release.js';
import { decompress } from '../../../src/probe/grpc/gzip.js';

const MAX_SIZE = 4 << 20;
const SERVING = Buffer.from([8, 1]);
const MESSAGE = gzipSync(SERVING);
const EMPTY = gzipSync('');
const behavior = behaviorOf({ version: '1.36' });

function after(bytes: Buffer): Buffer {
  return Buffer.concat([MESSAGE, bytes]);
}

test.each([
  ['one member', MESSAGE, SERVING],
  ['two members', after(MESSAGE), Buffer.concat([SERVING, SERVING])],
  [
    '200,000 empty members',
    Buffer.concat(Array.from({ length: 200_000 }, () => EMPTY)),
    Buffer.alloc(0),
  ],
])('a message of %s is read', (_, message, expected) => {
  expect(decompress(message, MAX_SIZE, behavior)).toEqual(expected);
});

test.each([
  ['a bomb of 64 MiB', gzipSync(Buffer.alloc(64 << 20)), 'larger than max'],
  ['a message without its end', MESSAGE.subarray(0, -4), 'unexpected EOF'],
  ['a header alone', MESSAGE.subarray(0, 10), 'unexpected EOF'],
  ['a wrong checksum', Buffer.concat([MESSAGE.subarray(0, -8), Buffer.alloc(8)]), 'checksum'],
  ['a message with zeros behind it', after(Buffer.alloc(20)), 'gzip: invalid header'],
  ['a message with a zero behind it', after(Buffer.alloc(1)), 'unexpected EOF'],
  ['a message with text behind it', after(Buffer.from('x'.repeat(20))), 'gzip: invalid header'],
])('%s is an error', (_, message, problem) => {
  expect(decompress(message, MAX_SIZE, behavior)).toMatchObject({
    message: expect.stringContaining(problem) as string,
  });
});
