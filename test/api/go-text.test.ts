import { expect, test } from 'vitest';

import { byteLength, goJson, goQuote } from '../../src/api/go-text.js';

test.each([
  ['plain \u00e9 \u{1f600}', '"plain \u00e9 \u{1f600}"'],
  ['a"b\\c', '"a\\"b\\\\c"'],
  ['\n\t\r\u0007\b\f\v', '"\\n\\t\\r\\a\\b\\f\\v"'],
  ['\u001b\u0000\u007f', '"\\x1b\\x00\\x7f"'],
  ['\u200b\u202e\u00a0', '"\\u200b\\u202e\\u00a0"'],
  ['\u{e0041}', '"\\U000e0041"'],
])('%j is quoted as %%q does', (text, quoted) => {
  expect(goQuote(text)).toBe(quoted);
});

test('JSON has sorted keys and escapes what HTML would mind', () => {
  expect(goJson({ b: '<&>', a: [1, null, true], c: undefined })).toBe(
    '{"a":[1,null,true],"b":"\\u003c\\u0026\\u003e"}',
  );
});

test('length counts bytes', () => {
  expect(byteLength('a\u00e9\u{1f600}')).toBe(7);
});
