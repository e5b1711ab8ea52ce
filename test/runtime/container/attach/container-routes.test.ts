import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { describe, expect, it } from 'vitest';

import type { AttachedContainers } from '../../../../src/runtime/container/attach/attached-containers.js';
import {
  type ContainerAddress,
  containerAddress,
  ContainerRoutes,
  type Via,
} from '../../../../src/runtime/container/attach/container-routes.js';
import type { EnginePlace } from '../../../../src/runtime/container/engine-place.js';
import { type Inspected, parseInspect } from '../../../../src/runtime/container/inspect.js';
import { NetnsConnectors } from '../../../../src/runtime/container/netns.js';
import { buildContainer, buildPod } from '../../../helpers/builders.js';

/** A container `web` with the given network, as the engine describes it. */
function inspected(
  networkMode: string,
  ip: string,
  bound?: [ip: string, port: string],
  status = 'running',
): Inspected {
  const bindings = bound === undefined ? null : [{ HostIp: bound[0], HostPort: bound[1] }];
  const described = {
    Id: 'abc',
    Name: '/web',
    State: { Status: status, Pid: 7 },
    HostConfig: { NetworkMode: networkMode },
    NetworkSettings: { Ports: { '8080/tcp': bindings }, Networks: { net: { IPAddress: ip } } },
  };
  const [container] = parseInspect(JSON.stringify([described]));
  return container!;
}

const at = (
  host: string,
  port: number,
  route: 'host network' | 'published' | 'container address',
): ContainerAddress => ({ kind: 'address', host, port, route });

const HERE: EnginePlace = { kind: 'here' };
const REMOTE: EnginePlace = { kind: 'remote', host: 'builder' };

const UNPUBLISHED = {
  kind: 'none',
  reason: 'port 8080 of web is not published',
  hint: 'start it with -p 8080:8080, or add --via exec',
} as const;

describe('port 8080 of a container', () => {
  it.each<[string, Inspected, EnginePlace, ContainerAddress]>([
    [
      'on the host network is reached at 127.0.0.1',
      inspected('host', ''),
      HERE,
      at('127.0.0.1', 8080, 'host network'),
    ],
    [
      'published on all addresses is reached at 127.0.0.1',
      inspected('net', '172.18.0.2', ['0.0.0.0', '32768']),
      HERE,
      at('127.0.0.1', 32_768, 'published'),
    ],
    [
      'published on all IPv6 addresses is reached at ::1',
      inspected('net', '172.18.0.2', ['::', '32768']),
      HERE,
      at('::1', 32_768, 'published'),
    ],
    [
      'published on one address is reached there',
      inspected('net', '172.18.0.2', ['127.0.0.2', '80']),
      HERE,
      at('127.0.0.2', 80, 'published'),
    ],
    [
      'that is not published is reached at the container IP on a native engine',
      inspected('net', '172.18.0.2'),
      HERE,
      at('172.18.0.2', 8080, 'container address'),
    ],
    [
      'that is not published cannot be reached in a virtual machine',
      inspected('net', '172.18.0.2'),
      { kind: 'forwarded' },
      UNPUBLISHED,
    ],
    [
      'without a network cannot be reached',
      inspected('none', ''),
      HERE,
      { kind: 'none', reason: 'web has no network', hint: 'add --via exec' },
    ],
    [
      'on the host network of another machine is reached there',
      inspected('host', ''),
      REMOTE,
      at('builder', 8080, 'host network'),
    ],
    [
      'published on all addresses of another machine is reached there',
      inspected('net', '172.18.0.2', ['0.0.0.0', '32768']),
      REMOTE,
      at('builder', 32_768, 'published'),
    ],
    [
      'published on the loopback of another machine cannot be reached',
      inspected('net', '172.18.0.2', ['127.0.0.1', '32768']),
      REMOTE,
      { kind: 'none', reason: 'port 8080 of web is published on 127.0.0.1 of builder' },
    ],
    [
      'that is not published on another machine cannot be reached',
      inspected('net', '172.18.0.2'),
      REMOTE,
      UNPUBLISHED,
    ],
    [
      'in the network of a container that has ended cannot be reached',
      inspected('container:def', ''),
      HERE,
      {
        kind: 'none',
        reason: 'web is in the network of a container that does not run',
        hint: 'start that one, and then web again',
      },
    ],
    [
      'that was never started has no address yet',
      inspected('net', '', undefined, 'created'),
      HERE,
      { kind: 'down', reason: 'container web does not run' },
    ],
    [
      'that its engine starts again has no address yet',
      inspected('net', '', undefined, 'restarting'),
      HERE,
      { kind: 'down', reason: 'container web does not run' },
    ],
    [
      'of an engine elsewhere cannot be reached',
      inspected('net', '172.18.0.2', ['0.0.0.0', '32768']),
      { kind: 'unknown', reason: 'it is elsewhere' },
      {
        kind: 'none',
        reason: 'it is elsewhere',
        hint: 'make port 8080 reachable and name it with -p',
      },
    ],
  ])('%s', (_, container, place, expected) => {
    expect(containerAddress(container, 8080, place)).toEqual(expected);
  });
});

describe('a container of which a process was seen on this machine', () => {
  it('is reached where it was, although it has ended since', async () => {
    const child = spawn('sleep', ['100']);
    await once(child, 'spawn');
    const described = {
      ...{ Id: 'abc', Name: '/web', HostConfig: { NetworkMode: 'host' } },
      State: { Status: 'running', Pid: child.pid, StartedAt: new Date().toISOString() },
    };
    const [seen] = parseInspect(JSON.stringify([described]));
    const routes = new ContainerRoutes({
      containers: { find: () => ({ name: 'web', seen }) } as unknown as AttachedContainers,
      ...{ address: '127.0.0.1', ports: new Map(), place: HERE },
    });
    const pod = buildPod();
    const address = () => routes.addressOf(pod, buildContainer(), 8080);
    expect(address()).toEqual(at('127.0.0.1', 8080, 'host network'));
    child.kill();
    await once(child, 'exit');
    expect(address()).toEqual(at('127.0.0.1', 8080, 'host network'));
  });
});

describe('a container whose process is not of this machine', () => {
  const gone = (status: string): Inspected => ({
    ...inspected('host', '', undefined, status),
    pid: 2 ** 22 + 1,
  });
  const reach = (via: Via, later: Inspected) => {
    const web = { name: 'web', seen: gone('running') };
    const containers = {
      find: () => web,
      podIPs: () => [],
      refreshAgain: () => {
        web.seen = later;
        return Promise.resolve();
      },
    } as unknown as AttachedContainers;
    const place = { address: '127.0.0.1', ports: new Map(), place: HERE };
    const connectors = via === 'exec' ? new NetnsConnectors('node') : undefined;
    const routes = new ContainerRoutes({ containers, ...place, connectors });
    const target = { pod: buildPod(), container: buildContainer(), containerID: 'docker://abc' };
    return (via === 'exec' ? routes.connect : routes.dial)(target, '127.0.0.1', 8080);
  };

  it.each<[string, Via, string, string]>([
    ['has ended, if its engine then says so', 'host', 'exited', 'container web does not run'],
    ['has ended, if its engine then says so', 'exec', 'exited', 'container web does not run'],
    ['runs elsewhere, if it still runs', 'host', 'running', 'so its engine runs elsewhere'],
    ['runs elsewhere, if it still runs', 'exec', 'running', 'so its engine runs elsewhere'],
  ])('%s, by %s', async (_, via, status, problem) => {
    await expect(reach(via, gone(status))).rejects.toThrow(problem);
  });
});
