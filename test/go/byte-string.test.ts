import { describe, expect, it } from 'vitest';

import { bytesOf, latin1, outputOf, toByteString, toText } from '../../src/go/byte-string.js';

describe('a byte string', () => {
  it.each(['', 'plain', 'é✓', '\u{1F600}', 'a\u0000b'])(
    'of %j converts back to the same text',
    (text) => {
      const bytes = toByteString(text);
      expect(bytes.length).toBe(Buffer.byteLength(text));
      expect(toText(bytes)).toBe(text);
      expect(outputOf(bytes)).toEqual({ output: text });
    },
  );

  it.each([
    ['ff', '\ufffd'],
    ['6fc328', 'o\ufffd('],
    ['e282', '\ufffd\ufffd'],
    ['f09f98', '\ufffd\ufffd\ufffd'],
    ['eda080', '\ufffd\ufffd\ufffd'],
    ['c080', '\ufffd\ufffd'],
    ['f4908080', '\ufffd\ufffd\ufffd\ufffd'],
  ])('of %s converts each invalid byte to U+FFFD', (hex, text) => {
    const bytes = latin1(Buffer.from(hex, 'hex'));
    expect(toText(bytes)).toBe(text);
    expect(outputOf(bytes).outputBytes).toEqual(bytesOf(bytes));
  });

  it('converts back to the same bytes', () => {
    const bytes = new Uint8Array(100_000).fill(0xe9);
    expect(bytesOf(latin1(bytes))).toEqual(bytes);
  });

  it('is output with its bytes only when it is not UTF-8', () => {
    expect(outputOf('plain')).toEqual({ output: 'plain' });
    expect(outputOf('\u00ff')).toEqual({ output: '\ufffd', outputBytes: Uint8Array.of(0xff) });
  });
});
