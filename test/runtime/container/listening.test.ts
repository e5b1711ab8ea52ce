import { createServer } from 'node:net';

import { describe, expect, it } from 'vitest';

import { RealClock } from '../../../src/clock/real-clock.js';
import type { ExecResult } from '../../../src/kubelet/ports.js';
import type { Engine } from '../../../src/runtime/container/engine.js';
import { type Inspected, parseInspect } from '../../../src/runtime/container/inspect.js';
import { listensInside } from '../../../src/runtime/container/listening.js';

const HEADER =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
/** A line of /proc/net/tcp: 172.18.0.2 is 020012AC there, and port 8080 is 1F90. */
const line = (address: string, state: string): string =>
  `   0: ${address} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000     0        0 4711 1\n`;

/** A container of an engine elsewhere: no process of this machine is its. */
const HOLDER: Inspected = {
  ...parseInspect(JSON.stringify([{ Id: 'f'.repeat(64), State: { Pid: 999_999_999 } }]))[0]!,
  ips: ['172.18.0.2'],
};

function listens(result: ExecResult, holder = HOLDER, port = 8080): Promise<boolean | undefined> {
  const engine = { exec: () => Promise.resolve(result) } as Partial<Engine> as Engine;
  return listensInside({ engine, clock: new RealClock(), holder, id: 'id', port });
}

function printed(text: string, exitCode = 0): ExecResult {
  const bytes = (value: string): Uint8Array => new TextEncoder().encode(value);
  return { kind: 'exited', exitCode, stdout: bytes(text), stderr: bytes('') };
}

describe("a port of a container whose processes are not this machine's", () => {
  it.each([
    ['listens at all addresses', line('00000000:1F90', '0A'), true],
    ["listens at the container's address", line('020012AC:1F90', '0A'), true],
    ['listens for IPv6 and IPv4', line(`${'0'.repeat(32)}:1F90`, '0A'), true],
    ['listens at 127.0.0.1 only', line('0100007F:1F90', '0A'), false],
    ['has connections, and no listener', line('020012AC:1F90', '01'), false],
    ['is not the one that listens', line('00000000:1F91', '0A'), false],
  ])('%s', async (_, sockets, expected) => {
    expect(await listens(printed(HEADER + sockets))).toBe(expected);
  });

  it.each([
    ['at all addresses', line(`${'0'.repeat(32)}:1F90`, '0A'), true],
    ["at the container's address", line('6402000A:1F90', '0A'), true],
    ['at 127.0.0.1 only', line('0100007F:1F90', '0A'), false],
    ['at another port', line('00000000:1F91', '0A'), false],
  ])(
    'listens %s, in a network of which the engine tells no address',
    async (_, sockets, expected) => {
      expect(await listens(printed(HEADER + sockets), { ...HOLDER, ips: [] })).toBe(expected);
    },
  );

  it('is found where the image has no IPv6', async () => {
    expect(await listens(printed(HEADER + line('00000000:1F90', '0A'), 1))).toBe(true);
  });

  it.each<[string, ExecResult]>([
    ['the image has no cat', { kind: 'error', message: 'executable file not found in $PATH' }],
    ['the command prints something else', printed('hello')],
  ])('is unknown when %s', async (_, result) => {
    expect(await listens(result)).toBeUndefined();
  });
});

it.runIf(process.platform === 'linux')(
  "reads this machine's /proc for a process of it",
  async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const startedAt = Date.now() - process.uptime() * 1000;
    const here = { ...HOLDER, pid: process.pid, startedAt, ips: ['127.0.0.1'] };
    const noExec: ExecResult = { kind: 'error', message: 'no command is needed' };
    expect(await listens(noExec, here, port)).toBe(true);
    server.close();
    expect(await listens(noExec, here, port)).toBe(false);
  },
);
