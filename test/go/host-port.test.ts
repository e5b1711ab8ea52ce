import { expect, it } from 'vitest';

import { joinHostPort, splitHostPort } from '../../src/go/host-port.js';
import { tables } from './tables.js';

it.each(tables.hostport)('splits %j as Go does', (text, host, port, error) => {
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
])('joins the host %j to a port', (host, joined) => {
  expect(joinHostPort(host, 80)).toBe(joined);
});
