import { expect, it } from 'vitest';

import {
  isLoopback,
  joinHostPort,
  parseAddr,
  punycodeHostPort,
  splitHostPort,
} from '../../src/go/addr.js';
import { toByteString } from '../../src/go/byte-string.js';
import { tables } from './tables.js';

it.each(tables.addr)('parseAddr handles %j as netip does', (text, error) => {
  const parsed = parseAddr(text);
  expect(typeof parsed === 'string' ? parsed : null).toBe(error);
});

it.each(tables.hostport)('splitHostPort handles %j as Go does', (text, host, port, error) => {
  const split = splitHostPort(text);
  expect(split).toEqual(
    error === null ? { ok: true, value: { host, port } } : { ok: false, error },
  );
});

it.each([
  ['127.0.0.1', '127.0.0.1:80'],
  ['::1', '[::1]:80'],
  ['[::1]', '[[::1]]:80'],
  ['', ':80'],
])('joinHostPort joins the host %j to a port', (host, joined) => {
  expect(joinHostPort(host, 80)).toBe(joined);
});

it.each([
  ['example.com:80', 'example.com:80'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['BÜCHER.example', 'xn--BCHER-2pa.example'],
  ['bücher.example:8080', 'xn--bcher-kva.example:8080'],
  ['日本語.jp', 'xn--wgv71a119e.jp'],
  ['é', 'xn--9ca'],
  ['.é', '.xn--9ca'],
])('punycodeHostPort encodes the host %j', (host, ascii) => {
  expect(punycodeHostPort(toByteString(host))).toBe(ascii);
});

it.each([
  ['localhost', true],
  ['127.8.0.1', true],
  ['::1', true],
  ['[::1]', true],
  ['::ffff:127.0.0.1', true],
  ['::ffff:10.0.0.1', false],
  ['127.example.com', false],
  ['localhost.example.com', false],
  ['0.0.0.0', false],
])('%s always means the machine itself: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
