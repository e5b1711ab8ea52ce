import { expect, it } from 'vitest';

import { LineSplitter } from '../../src/text/line-splitter.js';

it.each([
  ['a line in two chunks', ['on', 'e\ntwo\n'], ['one', 'two'], ''],
  ['a last line without a line break', ['one\ntw', 'o'], ['one'], 'two'],
  ['a line break at the begin of a chunk', ['one', '\n\n'], ['one', ''], ''],
])('gives the lines of %s', (_, chunks, lines, last) => {
  const splitter = new LineSplitter();
  const encoder = new TextEncoder();
  expect(chunks.flatMap((chunk) => splitter.add(encoder.encode(chunk)))).toEqual(lines);
  expect(splitter.end()).toBe(last);
});

it('keeps a character whole whose bytes come in two chunks', () => {
  const splitter = new LineSplitter();
  const bytes = new TextEncoder().encode('é\n');
  expect(splitter.add(bytes.subarray(0, 1))).toEqual([]);
  expect(splitter.add(bytes.subarray(1))).toEqual(['é']);
});
