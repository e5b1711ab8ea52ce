import { expect, test } from 'vitest';

import { documentsOf, splitDocuments } from '../../../src/manifest/documents/read-documents.js';

/** The text of each document; the kind of a JSON value, or the offset of an error. */
function split(text: string): readonly string[] {
  return splitDocuments(text).map((document) => {
    switch (document.kind) {
      case 'yaml':
        return text.slice(document.start, document.end);
      case 'json':
        return `json ${document.node.kind}`;
      case 'broken':
        return `broken at ${document.problem.offset}`;
    }
  });
}

test.each([
  ['one document', 'a: 1\n', ['a: 1\n']],
  ['two documents', 'a: 1\n---\nb: 2\n', ['a: 1\n', 'b: 2\n']],
  ['a leading separator', '---\na: 1\n', ['---\na: 1\n']],
  ['an empty document in between', 'a: 1\n---\n---\nb: 2\n', ['a: 1\n', '---\nb: 2\n']],
  ['comments after separators', 'a: 1\n--- # c\nb: 2\n', ['a: 1\n', 'b: 2\n']],
  ['separators with carriage returns', 'a: 1\r\n---\r\nb: 2\r\n', ['a: 1\r\n', 'b: 2\r\n']],
  ['a separator inside a block scalar', 'a: |\n  x\n---\nb: 2\n', ['a: |\n  x\n', 'b: 2\n']],
  ['an indented separator', 'a: |\n  ---\n', ['a: |\n  ---\n']],
  ['text after a separator', 'a: 1\n--- b\nc: 3\n', ['broken at 5']],
  ['four dashes', '----\n', ['broken at 0']],
  [
    'a stream of JSON values',
    '{"a": 1}\n{"b": 2} {"c": 3}',
    ['json object', 'json object', 'json object'],
  ],
  ['JSON and then YAML', '{"a": 1}\n---\nb: 2\n', ['json object', '---\nb: 2\n']],
  ['flow style that is not JSON', '{a: 1,}\n', ['{a: 1,}\n']],
  [
    'two JSON values followed by something else',
    '{}{}x',
    ['json object', 'json object', 'broken at 4'],
  ],
  ['nothing', '', []],
])('%s is split as kubectl does', (_, text, documents) => {
  expect(split(text)).toEqual(documents);
});

const LONG = 'x'.repeat(1_000_000);

test('a long text is read once for uses that follow each other, and not kept beside the next', () => {
  const [first, second] = [{ text: `a: ${LONG}` }, { text: `b: ${LONG}` }];
  const documents = documentsOf(first);
  expect(documentsOf(first)).toBe(documents);
  documentsOf(second);
  expect(documentsOf(first)).not.toBe(documents);
});
