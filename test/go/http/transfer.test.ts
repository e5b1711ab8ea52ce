import { describe, expect, it } from 'vitest';

import { headerOf } from '../../../src/go/http/header.js';
import { bodyOf, readTransfer } from '../../../src/go/http/transfer.js';
import { readAll, readerOf } from '../../helpers/reader-of.js';

function headOf(statusCode: number, fields: readonly [string, string][], minor = 1) {
  return { major: 1, minor, statusCode, header: headerOf(fields) };
}

describe('readTransfer', () => {
  it.each<[string, ReturnType<typeof headOf>, string, number]>([
    ['of a response without a length', headOf(200, []), 'untilClose', -1],
    ['of a response with a length', headOf(200, [['content-length', '5']]), 'length', 5],
    ['of a response with length 0', headOf(200, [['content-length', '0']]), 'none', 0],
    ['of a chunked response', headOf(200, [['transfer-encoding', 'Chunked']]), 'chunked', -1],
    [
      'of a chunked HTTP/1.0 response',
      headOf(200, [['transfer-encoding', 'chunked']], 0),
      'untilClose',
      -1,
    ],
    ['of a 204 response with a length', headOf(204, [['content-length', '5']]), 'none', 0],
  ])('%s has the framing of Go', (_, head, kind, contentLength) => {
    expect(readTransfer(head)).toMatchObject({ framing: { kind }, contentLength });
  });

  it.each<[[string, string][], string]>([
    [[['content-length', '']], 'invalid empty Content-Length ""'],
    [[['content-length', '-1']], 'bad Content-Length "-1"'],
    [[['content-length', '1'], ['content-length', '2']], 'http: message cannot contain multiple Content-Length headers; got ["1" "2"]'], // prettier-ignore
    [[['transfer-encoding', 'gzip']], 'unsupported transfer encoding: "gzip"'],
    [[['transfer-encoding', 'a'], ['transfer-encoding', 'b']], 'too many transfer encodings: ["a" "b"]'], // prettier-ignore
    [[['transfer-encoding', 'chunked'], ['trailer', 'content-length']], 'bad trailer key "Content-Length"'], // prettier-ignore
  ])('rejects the headers %j', (fields, message) => {
    expect(() => readTransfer(headOf(200, fields))).toThrow(message);
  });
});

it.each<[Parameters<typeof bodyOf>[0], string]>([
  [{ kind: 'none' }, ''],
  [{ kind: 'length', length: 3 }, 'abc'],
  [{ kind: 'length', length: 6 }, 'abcd!unexpected EOF'],
  [{ kind: 'untilClose' }, 'abcd'],
])('bodyOf reads from abcd, with the framing %j, %j', async (framing, text) => {
  expect(await readAll(bodyOf(framing, readerOf(['ab', 'cd'])))).toBe(text);
});
