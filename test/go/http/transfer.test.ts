import { describe, expect, it } from 'vitest';

import { headerOf } from '../../../src/go/http/header.js';
import { bodyOf, readTransfer } from '../../../src/go/http/transfer.js';
import { readAll, readerOf } from '../../helpers/reader-of.js';

function headOf(statusCode: number, fields: readonly [string, string][], minor = 1) {
  return { major: 1, minor, statusCode, header: headerOf(fields) };
}

describe('a response to a GET', () => {
  it.each<[string, ReturnType<typeof headOf>, string, number]>([
    ['without a length', headOf(200, []), 'untilClose', -1],
    ['with a length', headOf(200, [['content-length', '5']]), 'length', 5],
    ['with a length of 0', headOf(200, [['content-length', '0']]), 'none', 0],
    ['in chunks', headOf(200, [['transfer-encoding', 'Chunked']]), 'chunked', -1],
    [
      'in chunks, of HTTP/1.0',
      headOf(200, [['transfer-encoding', 'chunked']], 0),
      'untilClose',
      -1,
    ],
    ['with status 204 and a length', headOf(204, [['content-length', '5']]), 'none', 0],
  ])('%s has the framing that Go gives it', (_, head, kind, contentLength) => {
    expect(readTransfer(head)).toMatchObject({ framing: { kind }, contentLength });
  });

  it.each<[[string, string][], string]>([
    [[['content-length', '']], 'invalid empty Content-Length ""'],
    [[['content-length', '-1']], 'bad Content-Length "-1"'],
    [[['content-length', '1'], ['content-length', '2']], 'http: message cannot contain multiple Content-Length headers; got ["1" "2"]'], // prettier-ignore
    [[['transfer-encoding', 'gzip']], 'unsupported transfer encoding: "gzip"'],
    [[['transfer-encoding', 'a'], ['transfer-encoding', 'b']], 'too many transfer encodings: ["a" "b"]'], // prettier-ignore
    [[['transfer-encoding', 'chunked'], ['trailer', 'content-length']], 'bad trailer key "Content-Length"'], // prettier-ignore
  ])('with the headers %j is an error', (fields, message) => {
    expect(() => readTransfer(headOf(200, fields))).toThrow(message);
  });
});

it.each<[Parameters<typeof bodyOf>[0], string]>([
  [{ kind: 'none' }, ''],
  [{ kind: 'length', length: 3 }, 'abc'],
  [{ kind: 'length', length: 6 }, 'abcd!unexpected EOF'],
  [{ kind: 'untilClose' }, 'abcd'],
])('of abcd, a body with the framing %j is %j', async (framing, text) => {
  expect(await readAll(bodyOf(framing, readerOf(['ab', 'cd'])))).toBe(text);
});
