import { describe, expect, it } from 'vitest';

import { MAX_HEADER_BYTES, readResponse } from '../../../src/go/http/response.js';
import { readAll, readerOf } from '../../helpers/reader-of.js';

const BROKEN = 'net/http: HTTP/1.x transport connection broken: ';

describe('readResponse', () => {
  it.each([
    ['an HTTP/1.0 response', 'HTTP/1.0 200 OK\r\n\r\nok', 'ok'],
    ['bare line feeds', 'HTTP/1.1 200\nContent-Length: 2\n\nok', 'ok'],
    [
      'a chunked body',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
      'ok',
    ],
    ['interim responses before the final one', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103\r\n\r\nHTTP/1.1 200\r\n\r\nok', 'ok'], // prettier-ignore
    ['several spaces', 'HTTP/1.1   200   OK\r\n\r\nok', 'ok'],
  ])('reads %s', async (_, text, body) => {
    const response = await readResponse(readerOf([text]));
    expect(response.statusCode).toBe(200);
    expect(await readAll(response.body)).toBe(body);
  });

  it('returns everything after a protocol switch as the body', async () => {
    const head = 'HTTP/1.1 101 x\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n';
    expect(await readAll((await readResponse(readerOf([head, 'raw']))).body)).toBe('raw');
  });

  it.each([
    ['no space', 'HTTP/1.1\r\n', 'malformed HTTP response "HTTP/1.1"'],
    ['an invalid version', 'HTTP/11 200\r\n', 'malformed HTTP version "HTTP/11"'],
    ['a short status', 'HTTP/1.1 20\r\n', 'malformed HTTP status code "20"'],
    ['an early end', 'HTTP/1.1 200 OK\r\nA: b', 'unexpected EOF'],
  ])('rejects a head with %s', async (_, text, message) => {
    await expect(readResponse(readerOf([text]))).rejects.toThrow(BROKEN + message);
  });

  it('limits the length of the head, but not of the body', async () => {
    const limited = (text: string) => readResponse(readerOf([text], undefined, 30));
    const tooLong = `${BROKEN}net/http: server response headers exceeded ${MAX_HEADER_BYTES} bytes; aborted`;
    await expect(limited(`HTTP/1.1 200 OK\r\nA: ${'b'.repeat(30)}`)).rejects.toThrow(tooLong);
    const { body } = await limited(`HTTP/1.1 200 OK\r\n\r\n${'b'.repeat(50)}`);
    expect(await readAll(body)).toBe('b'.repeat(50));
  });
});
