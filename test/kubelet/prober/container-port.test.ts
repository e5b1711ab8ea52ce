import { describe, expect, it } from 'vitest';

import type { Container } from '../../../src/api/index.js';
import { resolveContainerPort } from '../../../src/kubelet/prober/container-port.js';

const container: Container = {
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

describe('a port', () => {
  // The rows of TestGetURLParts and TestGetTCPAddrParts (pkg/kubelet/prober/prober_test.go), and more.
  it.each([
    ['found', 93],
    [76, 76],
    ['118', 118],
    ['+80', 80],
    ['00080', 80],
    ['8080', 95],
    [65535, 65535],
    ['', 1],
  ])('%j is %i', (port, value) => {
    expect(resolveContainerPort(port, container)).toEqual({ ok: true, value });
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
  ])('%j is none: %s', (port, error) => {
    expect(resolveContainerPort(port, container)).toEqual({ ok: false, error });
  });

  it('has no name in a container without ports', () => {
    expect(resolveContainerPort('', { name: 'app', image: 'x' })).toEqual({
      ok: false,
      error: 'strconv.Atoi: parsing "": invalid syntax',
    });
  });
});
