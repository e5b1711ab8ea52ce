import { describe, expect, it } from 'vitest';

import { goQuote } from '../../src/kubelet/go-quote.js';

describe('a text is quoted', () => {
  it.each([
    ['as it is', 'no such file', '"no such file"'],
    ['with its quotes and backslashes escaped', '"a\\b"', String.raw`"\"a\\b\""`],
    ['with its line breaks escaped', 'a\nb\t\r', String.raw`"a\nb\t\r"`],
    ['with letters of any script', 'naïve 日本', '"naïve 日本"'],
    ['with what cannot be seen in hexadecimal', '\u0000\u007f\u200b', String.raw`"\x00\x7f\u200b"`],
  ])('%s', (_, text, quoted) => {
    expect(goQuote(text)).toBe(quoted);
  });
});
