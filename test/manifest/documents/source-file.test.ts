import { expect, test } from 'vitest';

import { decodeText, SourceFile } from '../../../src/manifest/documents/source-file.js';

test.each([
  ['UTF-8', [0x61, 0xc3, 0xa9], 'a\u00e9'],
  ['UTF-8 with a byte order mark', [0xef, 0xbb, 0xbf, 0x61], 'a'],
  ['UTF-16LE', [0xff, 0xfe, 0x61, 0x00], 'a'],
  ['UTF-16BE', [0xfe, 0xff, 0x00, 0x61], 'a'],
  ['a byte that is not UTF-8', [0x61, 0xe9, 0x62], 'a\ufffdb'],
])('decodeText reads %s', (_, bytes, text) => {
  expect(decodeText(Uint8Array.from(bytes))).toBe(text);
});

test('what aliases of one anchor have in common is reported once', () => {
  const file = new SourceFile({
    file: 'pod.yaml',
    text: 'a: &a {period: -1}\nb: *a\nc: {period: -1}\n',
  });
  for (const [offset, field] of [
    [8, 'a.period'],
    [8, 'b.period'],
    [8, 'b.timeout'],
    [28, 'c.period'],
  ] as const) {
    file.error(offset, field, 'must be positive');
  }
  expect(file.diagnostics().map(({ field }) => field)).toEqual([
    'a.period',
    'b.timeout',
    'c.period',
  ]);
});
