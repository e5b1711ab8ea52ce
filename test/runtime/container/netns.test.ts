import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { RuntimeError } from '../../../src/kubelet/ports.js';
import { parseInspect } from '../../../src/runtime/container/inspect.js';
import { NetnsConnectors } from '../../../src/runtime/container/netns.js';

/** This process, as the engine would describe a container. */
function self() {
  const [id = 'f'.repeat(64)] =
    /[0-9a-f]{64}/.exec(readFileSync('/proc/self/cgroup', 'latin1')) ?? [];
  const StartedAt = new Date(Date.now() - process.uptime() * 1000).toISOString();
  const State = { Status: 'running', Pid: process.pid, StartedAt };
  return parseInspect(JSON.stringify([{ Id: id, Name: '/web', State }]))[0]!;
}

it.each([
  ['that no helper can make', self(), "cannot enter the container's network: nsenter: "],
  [
    'into a process that is no container',
    { ...self(), pid: 1 },
    'process 1 of this machine is not web',
  ],
])('a connection %s is an error of the runtime, not of the target', async (_, container, text) => {
  const connectors = new NetnsConnectors('/no/such/node');
  const connecting = connectors.connect(container, '127.0.0.1', 80);
  await expect(connecting).rejects.toBeInstanceOf(RuntimeError);
  await expect(connecting).rejects.toThrow(text);
});
