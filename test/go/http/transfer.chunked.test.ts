import { expect, it } from 'vitest';

import { chunkedBody } from '../../../src/go/http/transfer.js';
import { readAll, readerOf } from '../../helpers/reader-of.js';

it.each<[string, readonly string[], string]>([
  ['chunks', ['2\r\nab\r\n3\r\ncde\r\n0\r\n\r\n'], 'abcde'],
  ['chunks in pieces', ['2', '\r', '\na', 'b\r', '\n0\r\n', '\r\n'], 'ab'],
  ['extensions and spaces', ['2;x=y \r\nab\r\n0 \r\n\r\n'], 'ab'],
  ['a trailer', ['1\r\na\r\n0\r\nX: y\r\n\r\n'], 'a'],
  ['a bare line feed', ['2\nab\r\n'], '!chunked line ends with bare LF'],
  ['a stray carriage return', ['2\rx\r\nab\r\n'], '!invalid CR in chunked line'],
  ['an empty length', ['\r\n'], '!empty hex number for chunk length'],
  ['an invalid length', ['zz\r\n'], '!invalid byte in chunk length'],
  ['a length of 17 digits', [`${'1'.repeat(17)}\r\n`], '!http chunk length too large'],
  ['more data than its length', ['1\r\nabc'], 'a!malformed chunked encoding'],
  ['an end within a chunk', ['5\r\nab'], 'ab!unexpected EOF'],
  ['an end before the trailer', ['0\r\n'], '!http: unexpected EOF reading trailer'],
  ['a header line of 5 KiB', [`1;${'x'.repeat(5000)}\r\n`], '!header line too long'],
  [
    'a trailer of 5 KiB',
    [`0\r\nX: ${'y'.repeat(5000)}\r\n\r\n`],
    '!http: suspiciously long trailer after chunked body',
  ],
  [
    'much overhead for little data',
    [`1;${'x'.repeat(100)}\r\na\r\n`.repeat(300)],
    `${'a'.repeat(190)}!chunked encoding contains too much non-data`,
  ],
])('chunkedBody handles %s as Go does', async (_, pieces, text) => {
  expect(await readAll(chunkedBody(readerOf(pieces)))).toBe(text);
});
