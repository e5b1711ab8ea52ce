import { describe, expect, it } from 'vitest';

import { headerOf } from '../../../src/go/http/header.js';
import { readTransfer } from '../../../src/go/http/transfer.js';
import { readAll, readerOf } from '../../helpers/reader-of.js';

function headOf(statusCode: number, fields: readonly [string, string][], minor = 1) {
  return { major: 1, minor, statusCode, header: headerOf(fields) };
}

describe('readTransfer', () => {
  it.each<[string, ReturnType<typeof headOf>, string, number]>([
    ['of a response without a length', headOf(200, []), 'abcd', -1],
    ['of a response with a length', headOf(200, [['content-length', '3']]), 'abc', 3],
    [
      'of a response with a longer length',
      headOf(200, [['content-length', '6']]),
      'abcd!unexpected EOF',
      6,
    ],
    ['of a response with length 0', headOf(200, [['content-length', '0']]), '', 0],
    [
      'of a chunked response',
      headOf(200, [['transfer-encoding', 'Chunked']]),
      '!unexpected EOF',
      -1,
    ],
    [
      'of a chunked HTTP/1.0 response',
      headOf(200, [['transfer-encoding', 'chunked']], 0),
      'abcd',
      -1,
    ],
    ['of a 204 response with a length', headOf(204, [['content-length', '5']]), '', 0],
  ])('%s reads from abcd as Go does', async (_, head, text, contentLength) => {
    const transfer = readTransfer(head, readerOf(['ab', 'cd']));
    expect(transfer.contentLength).toBe(contentLength);
    expect(await readAll(transfer.body)).toBe(text);
  });

  it.each<[[string, string][], string]>([
    [[['content-length', '']], 'invalid empty Content-Length ""'],
    [[['content-length', '-1']], 'bad Content-Length "-1"'],
    [[['content-length', '1'], ['content-length', '2']], 'http: message cannot contain multiple Content-Length headers; got ["1" "2"]'], // prettier-ignore
    [[['transfer-encoding', 'gzip']], 'unsupported transfer encoding: "gzip"'],
    [[['transfer-encoding', 'a'], ['transfer-encoding', 'b']], 'too many transfer encodings: ["a" "b"]'], // prettier-ignore
    [[['transfer-encoding', 'chunked'], ['trailer', 'content-length']], 'bad trailer key "Content-Length"'], // prettier-ignore
  ])('rejects the headers %j', (fields, message) => {
    expect(() => readTransfer(headOf(200, fields), readerOf([]))).toThrow(message);
  });
});
