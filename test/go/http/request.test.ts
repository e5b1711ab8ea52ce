import { describe, expect, it } from 'vitest';

import { headerOf } from '../../../src/go/http/header.js';
import {
  hasToken,
  type HttpRequest,
  isProtocolSwitch,
  isValidHost,
  requestText,
  requiresHTTP1,
  validateHeaders,
} from '../../../src/go/http/request.js';
import { parseUrl } from '../../../src/go/url-parse.js';

const PROBE = { close: true, gzip: false };
const HOOK = { close: false, gzip: true };

function requestOf(url: string, fields: readonly [string, string][] = [], host = ''): HttpRequest {
  const parsed = parseUrl(url);
  if (!parsed.ok) throw new Error(parsed.error);
  return { url: parsed.value, header: headerOf(fields), host };
}

describe('requestText', () => {
  it('has sorted headers and "Connection: close" for a probe', () => {
    const request = requestOf('http://10.0.0.1:8080/a?b', [['X-B', '1'], ['accept', '*/*']]); // prettier-ignore
    expect(requestText(request, PROBE)).toBe(
      'GET /a?b HTTP/1.1\r\nHost: 10.0.0.1:8080\r\nUser-Agent: Go-http-client/1.1\r\nAccept: */*\r\nX-B: 1\r\nConnection: close\r\n\r\n',
    );
  });

  it('has "Accept-Encoding: gzip" for a hook', () => {
    const text = requestText(requestOf('http://h/', [['User-Agent', 'kube']]), HOOK);
    expect(text).toBe(
      'GET / HTTP/1.1\r\nHost: h\r\nUser-Agent: kube\r\nAccept-Encoding: gzip\r\n\r\n',
    );
  });

  it.each([
    ['http://[fe80::1%25en0]:80/', '', '[fe80::1]:80'],
    ['http://h/', 'other', 'other'],
    ['http://h/', 'a b', ''],
  ])('for %s with the Host header %j has the host %j', (url, host, named) => {
    expect(requestText(requestOf(url, [], host), PROBE)).toContain(`\r\nHost: ${named}\r\n`);
  });

  it('has "Connection: close" only once', () => {
    const text = requestText(requestOf('http://h/', [['Connection', 'close']]), PROBE);
    expect(text.match(/close/g)).toHaveLength(1);
  });

  it('throws for a control character in the target', () => {
    const request = requestOf('http://h/');
    const broken = { ...request, url: { ...request.url, rawQuery: 'a\x01' } };
    expect(() => requestText(broken, PROBE)).toThrow("can't write control character");
  });
});

it('validateHeaders throws for invalid names and values', () => {
  expect(() => validateHeaders(headerOf([['a b', 'x']]))).toThrow(
    'invalid header field name "a b"',
  );
  expect(() => validateHeaders(headerOf([['a', '\x01']]))).toThrow(
    'invalid header field value for "A"',
  );
  expect(() => validateHeaders(headerOf([['a', 'b']]))).not.toThrow();
});

it.each([
  ['127.0.0.1:80', true],
  ['a b', false],
])('isValidHost(%j) is %s', (host, valid) => {
  expect(isValidHost(host)).toBe(valid);
});

it('header tokens are separated by commas and case-insensitive', () => {
  const header = headerOf([['Connection', 'x, Upgrade'], ['Upgrade', 'WebSocket']]); // prettier-ignore
  expect(hasToken(header, 'Connection', 'upgrade')).toBe(true);
  expect(hasToken(header, 'Connection', 'up')).toBe(false);
  expect(isProtocolSwitch(header)).toBe(true);
  expect(requiresHTTP1(header)).toBe(true);
  expect(requiresHTTP1(headerOf([['Upgrade', 'websocket']]))).toBe(false);
});
