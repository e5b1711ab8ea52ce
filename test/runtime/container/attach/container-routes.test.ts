import { describe, expect, it } from 'vitest';

import {
  type ContainerAddress,
  containerAddress,
} from '../../../../src/runtime/container/attach/container-routes.js';
import { type Inspected, parseInspect } from '../../../../src/runtime/container/inspect.js';

/** A container `web` with the given network, as the engine describes it. */
function inspected(networkMode: string, ip: string, bound?: [ip: string, port: string]): Inspected {
  const bindings = bound === undefined ? null : [{ HostIp: bound[0], HostPort: bound[1] }];
  const described = {
    Id: 'abc',
    Name: '/web',
    State: { Status: 'running', Pid: 7 },
    HostConfig: { NetworkMode: networkMode },
    NetworkSettings: { Ports: { '8080/tcp': bindings }, Networks: { net: { IPAddress: ip } } },
  };
  const [container] = parseInspect(JSON.stringify([described]));
  return container!;
}

const at = (
  host: string,
  port: number,
  how: 'host network' | 'published' | 'container address',
): ContainerAddress => ({ kind: 'address', host, port, how });

const UNPUBLISHED =
  'port 8080 of web is not published; start it with -p 8080:8080, or add --via exec';

describe('port 8080 of a container', () => {
  it.each<[string, Inspected, boolean, ContainerAddress]>([
    [
      'on the host network is reached at 127.0.0.1',
      inspected('host', ''),
      true,
      at('127.0.0.1', 8080, 'host network'),
    ],
    [
      'published on all addresses is reached at 127.0.0.1',
      inspected('net', '172.18.0.2', ['0.0.0.0', '32768']),
      true,
      at('127.0.0.1', 32_768, 'published'),
    ],
    [
      'published on all IPv6 addresses is reached at ::1',
      inspected('net', '172.18.0.2', ['::', '32768']),
      true,
      at('::1', 32_768, 'published'),
    ],
    [
      'published on one address is reached there',
      inspected('net', '172.18.0.2', ['127.0.0.2', '80']),
      true,
      at('127.0.0.2', 80, 'published'),
    ],
    [
      'that is not published is reached at the container IP on a native engine',
      inspected('net', '172.18.0.2'),
      true,
      at('172.18.0.2', 8080, 'container address'),
    ],
    [
      'that is not published cannot be reached in a virtual machine',
      inspected('net', '172.18.0.2'),
      false,
      { kind: 'none', why: UNPUBLISHED },
    ],
    [
      'without a network cannot be reached',
      inspected('none', ''),
      true,
      { kind: 'none', why: 'web has no network; add --via exec' },
    ],
  ])('%s', (_, container, isNativeLinux, expected) => {
    expect(containerAddress(container, 8080, isNativeLinux)).toEqual(expected);
  });
});
