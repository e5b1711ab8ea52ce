import { expect, it } from 'vitest';

import { badString, readLine, readMIMEHeader } from '../../../src/go/http/bufio.js';
import { IoError } from '../../../src/go/io-error.js';
import { readerOf } from '../../helpers/reader-of.js';

it.each<[string, string, [string, string[]][]]>([
  ['fields', 'a: b\r\nC:d \r\n\r\n', [['A', ['b']], ['C', ['d']]]], // prettier-ignore
  ['bare line feeds', 'a: b\n\n', [['A', ['b']]]],
  ['the same name twice', 'x: 1\r\nX: 2\r\n\r\n', [['X', ['1', '2']]]],
  ['a folded value', 'x: 1\r\n \t2\r\n\r\n', [['X', ['1 2']]]],
  ['a space in a name', 'a b: 1\r\n\r\n', [['a b', ['1']]]],
])('readMIMEHeader reads %s', async (_, text, fields) => {
  expect([...(await readMIMEHeader(readerOf([text])))]).toEqual(fields);
});

it.each([
  ['no colon', 'abc\r\n\r\n', 'malformed MIME header: missing colon: "abc"'],
  ['a leading space', ' a: b\r\n\r\n', 'malformed MIME header initial line: " a: b"'],
  ['an invalid name', 'a\x01: b\r\n\r\n', 'malformed MIME header line: "a\\x01: b"'],
  ['an invalid value', 'a: \x01\r\n\r\n', 'malformed MIME header line: "A: \\x01"'],
  ['no end', 'a: b\r\n', 'EOF'],
])('readMIMEHeader rejects %s', async (_, text, message) => {
  await expect(readMIMEHeader(readerOf([text]))).rejects.toThrow(message);
});

it('readMIMEHeader rejects a line above its limit', async () => {
  await expect(readLine(readerOf(['abc\n']), 2)).rejects.toThrow('message too large');
});

it('a bad value is quoted in its error', () => {
  expect(badString('bad thing', 'a"b')).toEqual(new IoError('bad thing "a\\"b"'));
});
