import { expect, test } from 'vitest';

import { decodeText } from '../../../src/manifest/documents/source-file.js';

test.each([
  ['UTF-8', [0x61, 0xc3, 0xa9], 'a\u00e9'],
  ['UTF-8 with a byte order mark', [0xef, 0xbb, 0xbf, 0x61], 'a'],
  ['UTF-16LE', [0xff, 0xfe, 0x61, 0x00], 'a'],
  ['UTF-16BE', [0xfe, 0xff, 0x00, 0x61], 'a'],
  ['a byte that is not UTF-8', [0x61, 0xe9, 0x62], 'a\ufffdb'],
])('decodeText reads %s', (_, bytes, text) => {
  expect(decodeText(Uint8Array.from(bytes))).toBe(text);
});
