import { describe, expect, it } from 'vitest';

import { headerOf } from '../../../../src/go/header.js';
import type { RequestHead } from '../../../../src/probe/http/request-head.js';
import { canSay, hasReadAsGo } from '../../../../src/probe/http/undici/limits.js';

const REQUEST: RequestHead = {
  target: '/healthz?a=b',
  host: '127.0.0.1:8080',
  fields: [
    ['User-Agent', 'kube-probe/1.36'],
    ['Accept', '*/*'],
  ],
  close: true,
};

describe('a request', () => {
  it.each<[string, Partial<RequestHead>]>([
    ['a probe without headers of its own', {}],
    ['a path in bytes', { target: '/\xc3\xa4%20b' }],
    ['an empty Host header', { host: '' }],
    ['an IPv6 host', { host: '[::1]:8080' }],
    ['one name more than once', { fields: [['X-A', '1'], ['X-A', '2']] }], // prettier-ignore
    ['an empty value', { fields: [['X-A', '']] }],
  ])('goes through undici: %s', (_, part) => {
    expect(canSay({ ...REQUEST, ...part })).toBe(true);
  });

  it.each<[string, Partial<RequestHead>]>([
    ['a hook, which asks for no end', { close: false }],
    ['a target with a blank', { target: '/?a b' }],
    ['a target that is no path', { target: '*' }],
    ['an open bracket in the Host header', { host: '[::1' }],
    ['a Connection header', { fields: [['Connection', 'Keep-Alive']] }],
    ['an Upgrade header', { fields: [['Upgrade', 'h2c']] }],
    ['a Keep-Alive header', { fields: [['Keep-Alive', 'timeout=5']] }],
    ['an Expect header', { fields: [['Expect', '100-continue']] }],
  ])('does not: %s', (_, part) => {
    expect(canSay({ ...REQUEST, ...part })).toBe(false);
  });
});

describe('a response', () => {
  const read = (start: string, statusCode: number, fields: readonly [string, string][]): boolean =>
    hasReadAsGo({ raw: `${start} ${statusCode} x\r\n`, statusCode, header: headerOf(fields) });

  it.each<[string, string, number, [string, string][]]>([
    ['with a length', 'HTTP/1.1', 200, [['content-length', '2']]],
    ['up to the end', 'HTTP/1.1', 503, []],
    ['without a body', 'HTTP/1.1', 204, []],
  ])('stands as undici has read it: %s', (_, start, status, fields) => {
    expect(read(start, status, fields)).toBe(true);
  });

  it.each<[string, string, number, [string, string][]]>([
    ['another version', 'HTTP/1.0', 200, []],
    ['an empty line before it', '\r\nHTTP/1.1', 200, []],
    ['an interim response', 'HTTP/1.1', 103, []],
    ['another protocol', 'HTTP/1.1', 101, []],
    ['chunks', 'HTTP/1.1', 200, [['transfer-encoding', 'chunked']]],
    ['an announced trailer', 'HTTP/1.1', 200, [['trailer', 'X-Sum']]],
    ['two lengths', 'HTTP/1.1', 200, [['content-length', '2'], ['content-length', '2']]], // prettier-ignore
    ['a length beyond counting', 'HTTP/1.1', 200, [['content-length', '9223372036854775808']]],
    ['a length without a body', 'HTTP/1.1', 304, [['content-length', '2']]],
  ])('is read again: %s', (_, start, status, fields) => {
    expect(read(start, status, fields)).toBe(false);
  });
});
