import { expect, it } from 'vitest';

import { foreignProcess, remoteHost } from '../../../src/runtime/container/engine-place.js';
import { parseInspect } from '../../../src/runtime/container/inspect.js';

it.each([
  ['unix:///var/run/docker.sock', undefined],
  ['', undefined],
  ['npipe:////./pipe/docker_engine', undefined],
  ['tcp://127.0.0.1:2375', undefined],
  ['tcp://localhost:2375', undefined],
  ['tcp://[::1]:2375', undefined],
  ['tcp://10.1.2.3:2375', '10.1.2.3'],
  ['tcp://[fd00::1]:2375', 'fd00::1'],
  ['ssh://me@builder', 'builder'],
])('the host of %j is %s', (endpoint, host) => {
  expect(remoteHost(endpoint)).toBe(host);
});

it.runIf(process.platform === 'linux')(
  'a process of the same id is not the container when it started at another time',
  () => {
    const State = { Status: 'running', Pid: process.pid };
    const started = (StartedAt: string) =>
      parseInspect(
        JSON.stringify([{ Id: 'f'.repeat(64), Name: '/web', State: { ...State, StartedAt } }]),
      )[0]!;
    const why = `process ${process.pid} of this machine is not web, so its engine runs elsewhere`;
    expect(foreignProcess(started('2001-01-01T00:00:00Z'))).toBe(why);
  },
);
