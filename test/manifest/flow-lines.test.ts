import { expect, test } from 'vitest';

import { FlowLines } from '../../src/manifest/flow-lines.js';
import { pad } from '../../src/manifest/offset-map.js';

const padded = (text: string): string => pad(text, new FlowLines(text).paddings).text;

test.each([
  ['a bracket that closes below its key', 'a: [\n  b\n]\n', 'a: [\n    b\n    ]\n'],
  ['a quoted text that goes on at the margin', 'a: "x\ny"\n', 'a: "x\n    y"\n'],
  ['quotes in brackets', 'a: ["]",\n"b"]\n', 'a: ["]",\n    "b"]\n'],
  ['a comment in brackets', 'a: [ # ]\nb]\n', 'a: [ # ]\n    b]\n'],
])('%s is indented further', (_, text, result) => {
  expect(padded(text)).toBe(result);
});

test.each([
  ['lines that are indented far enough', 'a: [\n     b]\n'],
  ['a block scalar with brackets in it', 'a: |\n  [ x\n  "y\nb: 1\n'],
  ['a folded scalar with an indentation of its own', '- a: >2\n      x [\n    {\n  b: 1\n'],
  ['brackets inside a plain word', 'a: x[0\nb: y{\nc: 1\n'],
  ['a quote inside a plain word', "a: it's\nb: don't\n"],
  ['a plain text that goes on with a bracket', 'a: x\n  [ y\nb: 1\n'],
  ['comments', 'a: 1 # [\n# {\nb: "x" # "\n'],
  ['a sequence of texts', '- x [\n- "y"\n- z\n'],
])('%s stay as they are', (_, text) => {
  expect(padded(text)).toBe(text);
});

test('a place in padded text leads back to its place before', () => {
  const text = 'a: [\nb,\nc]\n';
  const { text: result, originalOffset } = pad(text, new FlowLines(text).paddings);
  for (const character of 'abc]') {
    expect(originalOffset(result.indexOf(character))).toBe(text.indexOf(character));
  }
});

test.each([
  ['a: "b\nc: 1\n', 3],
  ["a: ['b', \"c]\n", 9],
  ['a: {b: [1}\n', 3],
  ['a: {b: [1]}\n', undefined],
  ['a: [b\n', 3],
])('in %j the first thing that is never closed is found', (text, offset) => {
  expect(new FlowLines(text).unclosed).toBe(offset);
});
