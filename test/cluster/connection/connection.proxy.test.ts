import { describe, expect, it } from 'vitest';

import { proxyOf } from '../../../src/cluster/connection/connection.js';

const PROXY = 'http://proxy:3128';

describe('the proxy to a server', () => {
  it.each([
    ['https://api:6443', '', {}, undefined],
    ['https://api:6443', 'socks5://s:1080', { HTTPS_PROXY: PROXY }, 'socks5://s:1080'],
    ['https://127.0.0.1:6443', PROXY, {}, PROXY],
    ['https://api:6443', undefined, { HTTPS_PROXY: PROXY }, PROXY],
    ['https://api:6443', undefined, { https_proxy: 'proxy:3128' }, PROXY],
    ['https://api:6443', undefined, { HTTP_PROXY: PROXY }, undefined],
    ['http://api:8080', undefined, { HTTP_PROXY: PROXY }, PROXY],
    ['https://127.0.0.1:6443', undefined, { HTTPS_PROXY: PROXY }, undefined],
    ['https://[::1]:6443', undefined, { HTTPS_PROXY: PROXY }, undefined],
    ['https://localhost:6443', undefined, { HTTPS_PROXY: PROXY }, undefined],
    ['https://a.example.com', undefined, { HTTPS_PROXY: PROXY, NO_PROXY: '*' }, undefined],
    [
      'https://a.example.com',
      undefined,
      { HTTPS_PROXY: PROXY, NO_PROXY: 'x, example.com' },
      undefined,
    ],
    ['https://example.com', undefined, { HTTPS_PROXY: PROXY, no_proxy: '.example.com' }, PROXY],
    [
      'https://a.example.com',
      undefined,
      { HTTPS_PROXY: PROXY, no_proxy: '*.example.com' },
      undefined,
    ],
    ['https://badexample.com', undefined, { HTTPS_PROXY: PROXY, NO_PROXY: 'example.com' }, PROXY],
    [
      'https://a.example.com',
      undefined,
      { HTTPS_PROXY: PROXY, NO_PROXY: 'a.example.com:8443' },
      PROXY,
    ],
    [
      'https://a.example.com:8443',
      undefined,
      { HTTPS_PROXY: PROXY, NO_PROXY: 'a.example.com:8443' },
      undefined,
    ],
    ['https://10.1.2.3', undefined, { HTTPS_PROXY: PROXY, NO_PROXY: '10.0.0.0/8' }, undefined],
    ['https://11.1.2.3', undefined, { HTTPS_PROXY: PROXY, NO_PROXY: '10.0.0.0/8' }, PROXY],
    ['https://[fd00::7]', undefined, { HTTPS_PROXY: PROXY, NO_PROXY: 'fd00::/16' }, undefined],
    ['https://api', undefined, { HTTPS_PROXY: PROXY, NO_PROXY: '10.0.0.0/8,' }, PROXY],
  ])('%s, proxy-url %j, %j → %s', (server, configured, env, expected) => {
    expect(proxyOf(new URL(server), configured, env)).toBe(expected);
  });

  it.each([
    ['ftp://x', {}, 'proxy-url is not an http, https or socks5 URL'],
    ['http://user:secret@[bad', {}, 'proxy-url is not an http, https or socks5 URL'],
    [undefined, { HTTPS_PROXY: 'ftp://x' }, 'HTTPS_PROXY is not an http, https or socks5 URL'],
  ])('is refused: %s %j', (configured, env, message) => {
    expect(() => proxyOf(new URL('https://api'), configured, env)).toThrow(message);
  });
});
