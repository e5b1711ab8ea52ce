import { expect, test } from 'vitest';

import { parseYaml } from '../../../src/manifest/documents/parse-yaml.js';

const MIB = 1024 * 1024;

test.each([
  [
    '300 levels of brackets',
    `a: ${'['.repeat(300)}${']'.repeat(300)}`,
    'nested more than 200 deep',
  ],
  ['300 levels of lists', `a:\n  ${'- '.repeat(300)}x`, 'nested more than 200 deep'],
  ['a document of 9 MiB', `a: ${'x'.repeat(9 * MIB)}`, 'a document of more than 8 MiB'],
  ['a value of 4 MiB', `a: "${'x'.repeat(4 * MIB)}"`, 'a value of more than 3 MiB'],
  ['300,000 values', `[${'1,'.repeat(300_000)}1]`, 'too many values for a document'],
])('%s is refused', (_, text, message) => {
  expect(() => parseYaml(text)).toThrow(message);
});

test.each([
  ['199 levels of brackets', `a: ${'['.repeat(199)}${']'.repeat(199)}`],
  ['a value of 2 MiB', `a: "${'x'.repeat(2 * MIB)}"`],
])('%s is read', (_, text) => {
  expect(parseYaml(text).node.kind).toBe('object');
});

test.each([
  ['a carriage return', '\r'],
  ['U+0085', '\u0085'],
])('%s in brackets is a line break, also behind an error', (_, lineBreak) => {
  expect(() => parseYaml(`a: {b${lineBreak}{c: 2}, d: 1}\n`)).toThrow('a "," is missing');
});
