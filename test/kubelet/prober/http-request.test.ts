import { describe, expect, it } from 'vitest';

import type { Container, HTTPGetAction } from '../../../src/api/index.js';
import { urlString } from '../../../src/go/url.js';
import {
  newRequestForHTTPGetAction,
  resolveContainerPort,
} from '../../../src/kubelet/prober/http-request.js';

const container: Container = {
  name: 'app',
  image: 'x',
  ports: [{ name: 'web', containerPort: 93 }],
};

const request = (
  action: Partial<HTTPGetAction>,
  podIP = 'localhost',
): ReturnType<typeof newRequestForHTTPGetAction> =>
  newRequestForHTTPGetAction(
    { port: 93, ...action },
    { container, podIP, userAgentFragment: 'probe' },
  );

describe('newRequestForHTTPGetAction', () => {
  // The rows of TestFormatURL (pkg/probe/http/request_test.go) and some more.
  it.each([
    [{}, 'http://localhost:93'],
    [{ scheme: 'HTTPS' as const, path: '/path' }, 'https://localhost:93/path'],
    [{ path: '?foo' }, 'http://localhost:93?foo'],
    [{ path: '/path?bar' }, 'http://localhost:93/path?bar'],
    [{ path: 'healthz' }, 'http://localhost:93/healthz'],
    [{ host: '1.2.3.4', port: 'web' }, 'http://1.2.3.4:93'],
    [{ host: '' }, 'http://localhost:93'],
    [{ host: '::1' }, 'http://[::1]:93'],
    [{ path: '/a%zz?x' }, 'http://localhost:93/a%25zz%3Fx'],
    [{ path: '//other/x' }, 'http://localhost:93/x'],
    [{ path: 'http://u:p@other:1/x?y#z' }, 'http://u:p@localhost:93/x?y#z'],
    [{ path: 'mailto:someone' }, 'http:someone'],
  ])('builds from %j the URL %s', (action, url) => {
    const made = request(action);
    expect(made.ok && urlString(made.value.url)).toBe(url);
  });

  it.each([
    [{ port: 0 }, 'invalid port number: 0'],
    [{ port: 'http' }, 'strconv.Atoi: parsing "http": invalid syntax'],
    [{ host: '[::1]' }, 'parse "http://[[::1]]:93": invalid IP-literal'],
    [{ host: 'a b' }, 'parse "http://a%20b:93": invalid URL escape "%20"'],
  ])('fails for %j: %s', (action, error) => {
    expect(request(action)).toEqual({ ok: false, error });
  });

  // The rows of TestNewRequestForHTTPGetAction and TestNewProbeRequest (pkg/probe/http/request_test.go) and some more.
  it.each([
    [
      'sets User-Agent and Accept by default',
      [],
      { 'User-Agent': ['kube-probe/1.36'], Accept: ['*/*'] },
    ],
    [
      'keeps User-Agent and Accept of the probe',
      [
        ['accept', 'application/json'],
        ['USER-AGENT', 'foo/1.0'],
      ],
      { Accept: ['application/json'], 'User-Agent': ['foo/1.0'] },
    ],
    [
      'sends no Accept header when its first value is empty',
      [
        ['Accept', ''],
        ['Accept', 'x'],
      ],
      { 'User-Agent': ['kube-probe/1.36'] },
    ],
    ['keeps an empty User-Agent', [['User-Agent', '']], { 'User-Agent': [''], Accept: ['*/*'] }],
    [
      'keeps all values of a header',
      [
        ['x-a', '1'],
        ['X-A', '2'],
      ],
      { 'X-A': ['1', '2'], 'User-Agent': ['kube-probe/1.36'], Accept: ['*/*'] },
    ],
  ])('%s', (_, headers, expected) => {
    const httpHeaders = headers.map(([name = '', value = '']) => ({ name, value }));
    const made = request({ httpHeaders });
    expect(made.ok && Object.fromEntries(made.value.header)).toEqual(expected);
  });

  it('takes the host from the first Host header', () => {
    const httpHeaders = [
      { name: 'HOST', value: 'a' },
      { name: 'Host', value: 'b' },
    ];
    const made = request({ httpHeaders });
    expect(made.ok && made.value.host).toBe('a');
  });

  it('sets a User-Agent with the given purpose and kubelet version', () => {
    const made = newRequestForHTTPGetAction(
      { port: 1 },
      { container, podIP: 'h', userAgentFragment: 'lifecycle', kubeletVersion: '1.30' },
    );
    expect(made.ok && made.value.header.get('User-Agent')).toEqual(['kube-lifecycle/1.30']);
  });
});

const ported: Container = {
  name: 'app',
  image: 'x',
  ports: [
    { containerPort: 1 },
    { name: 'found', containerPort: 93, hostPort: 9300 },
    { name: 'found', containerPort: 94 },
    { name: 'zero', containerPort: 0 },
    { name: '8080', containerPort: 95 },
  ],
};

describe('resolveContainerPort', () => {
  // The rows of TestGetURLParts and TestGetTCPAddrParts (pkg/kubelet/prober/prober_test.go) and some more.
  it.each([
    ['found', 93],
    [76, 76],
    ['118', 118],
    ['+80', 80],
    ['00080', 80],
    ['8080', 95],
    [65535, 65535],
    ['', 1],
  ])('resolves %j to %i', (port, value) => {
    expect(resolveContainerPort(port, ported)).toEqual({ ok: true, value });
  });

  it.each([
    [-1, 'invalid port number: -1'],
    [0, 'invalid port number: 0'],
    [65536, 'invalid port number: 65536'],
    ['-1', 'invalid port number: -1'],
    ['zero', 'invalid port number: 0'],
    ['9223372036854775807', 'invalid port number: 9223372036854775807'],
    ['not-found', 'strconv.Atoi: parsing "not-found": invalid syntax'],
    ['Found', 'strconv.Atoi: parsing "Found": invalid syntax'],
    [' 80', 'strconv.Atoi: parsing " 80": invalid syntax'],
    ['99999999999999999999', 'strconv.Atoi: parsing "99999999999999999999": value out of range'],
  ])('fails for %j: %s', (port, error) => {
    expect(resolveContainerPort(port, ported)).toEqual({ ok: false, error });
  });

  it('fails for an empty name in a container without ports', () => {
    expect(resolveContainerPort('', { name: 'app', image: 'x' })).toEqual({
      ok: false,
      error: 'strconv.Atoi: parsing "": invalid syntax',
    });
  });
});
