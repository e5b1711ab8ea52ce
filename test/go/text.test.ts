import { expect, test } from 'vitest';

import { byteLength, goJson } from '../../src/go/text.js';

test('goJson sorts keys and escapes <, > and &', () => {
  expect(goJson({ b: '<&>', a: [1, null, true], c: undefined })).toBe(
    '{"a":[1,null,true],"b":"\\u003c\\u0026\\u003e"}',
  );
});

test('byteLength counts UTF-8 bytes', () => {
  expect(byteLength('a\u00e9\u{1f600}')).toBe(7);
});
