import { expect, test } from 'vitest';

import { byteLength, goJson } from '../../src/go/text.js';

test('JSON has sorted keys and escapes what HTML would mind', () => {
  expect(goJson({ b: '<&>', a: [1, null, true], c: undefined })).toBe(
    '{"a":[1,null,true],"b":"\\u003c\\u0026\\u003e"}',
  );
});

test('length counts bytes', () => {
  expect(byteLength('a\u00e9\u{1f600}')).toBe(7);
});
