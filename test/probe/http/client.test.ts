import { describe, expect, it } from 'vitest';

import { RealClock } from '../../../src/clock/real-clock.js';
import { headerOf } from '../../../src/go/http/header.js';
import { parseUrl } from '../../../src/go/url-parse.js';
import { Attempt } from '../../../src/probe/attempt.js';
import { discard, doRequest } from '../../../src/probe/http/client.js';
import { buildContainer, buildPod } from '../../helpers/builders.js';
import { type RawServer, startRawServer } from '../../helpers/raw-server.js';
import { readerOf } from '../../helpers/reader-of.js';

const TRANSPORT = { close: true, gzip: false, http2: false, handshakeTimeout: 1000 };

async function get(url: string, fields: readonly [string, string][] = [], follow = false) {
  const options = { clock: new RealClock(), followNonLocalRedirects: follow };
  const target = { pod: buildPod(), container: buildContainer(), containerID: 'c' };
  const attempt = new Attempt(options, target, 5000);
  const parsed = parseUrl(url);
  if (!parsed.ok) throw new Error(parsed.error);
  try {
    const request = { url: parsed.value, header: headerOf(fields), host: '' };
    return (await doRequest(attempt, TRANSPORT, request)).statusCode;
  } finally {
    attempt.end();
  }
}

/** Redirects `/` to a location and answers other paths with 200. */
function redirector(location: string, status = 302): Promise<RawServer> {
  return startRawServer((socket, request) => {
    const isFirst = request.startsWith('GET / ');
    const head = isFirst ? `${status} x\r\nLocation: ${location}` : '200 OK';
    socket.end(`HTTP/1.1 ${head}\r\n\r\n`);
  });
}

describe('a redirect', () => {
  it('to the same host is followed, with a Referer', async () => {
    const { port, requests } = await redirector('/next?a');
    expect(await get(`http://127.0.0.1:${port}/`)).toBe(200);
    expect(requests[1]).toContain('GET /next?a HTTP/1.1');
    expect(requests[1]).toContain(`Referer: http://127.0.0.1:${port}/\r\n`);
  });

  it('to another host is returned, unless it should be followed', async () => {
    const other = await startRawServer(
      (socket) => socket.end('HTTP/1.1 204 x\r\n\r\n'),
      'localhost',
    );
    const { port } = await redirector(`http://localhost:${other.port}/`);
    const secret: [string, string][] = [['Authorization', 's']];
    expect(await get(`http://127.0.0.1:${port}/`, secret)).toBe(302);
    expect(other.requests).toEqual([]);
    expect(await get(`http://127.0.0.1:${port}/`, secret, true)).toBe(204);
    expect(other.requests[0]).not.toContain('Authorization');
  });

  it.each([
    [302, false],
    [307, true],
  ])('with status %i keeps body headers: %s', async (status, keeps) => {
    const { port, requests } = await redirector('/next', status);
    await get(`http://127.0.0.1:${port}/`, [['Content-Type', 'x']]);
    expect(requests[1]?.includes('Content-Type')).toBe(keeps);
  });

  it('to itself stops after 10 requests', async () => {
    const { port, requests } = await redirector('/');
    await expect(get(`http://127.0.0.1:${port}/`)).rejects.toThrow(
      'Get "/": stopped after 10 redirects',
    );
    expect(requests).toHaveLength(10);
  });

  it('to an invalid URL is an error', async () => {
    const { port } = await redirector('http://a b/');
    await expect(get(`http://127.0.0.1:${port}/`)).rejects.toThrow('failed to parse Location');
  });
});

it('credentials in a URL are sent in a header and masked in errors', async () => {
  const { port, requests } = await startRawServer((socket) => socket.end());
  await expect(get(`http://u:p@127.0.0.1:${port}/`)).rejects.toThrow(
    `Get "http://u:***@127.0.0.1:${port}/": EOF`,
  );
  expect(requests[0]).toContain('Authorization: Basic dTpw\r\n');
});

it('discard does not read a body that is declared longer than the limit', async () => {
  const reader = readerOf(['abcdef']);
  const response = { statusCode: 302, header: headerOf([]), body: reader, close: () => undefined };
  await discard({ ...response, contentLength: 5 }, 4);
  expect((await reader.peek(1)).bytes.toString()).toBe('a');
  await discard({ ...response, contentLength: -1 }, 4);
  expect((await reader.peek(1)).bytes.toString()).toBe('e');
});
