import { describe, expect, it } from 'vitest';

import { RealClock } from '../../../src/clock/real-clock.js';
import type { ProbeOutcome, ProbeTarget, ProbeTransports } from '../../../src/kubelet/ports.js';
import type { Engine } from '../../../src/runtime/container/engine.js';
import { parseInspect } from '../../../src/runtime/container/inspect.js';
import { checkedTransports } from '../../../src/session/targets/checked-transports.js';

const SUCCESS: ProbeOutcome = { result: 'success', output: '' };
const HEADER = '  sl  local_address rem_address   st\n';
const holder = {
  ...parseInspect(JSON.stringify([{ Id: 'abc', Name: '/web', State: { Pid: 999_999_999 } }]))[0]!,
  ips: ['172.18.0.2'],
};

/** Makes one attempt; `sockets` is what a command in the container prints. */
function attempt(
  outcome: ProbeOutcome,
  sockets: string | undefined,
  isPublished = true,
): Promise<ProbeOutcome> {
  const stdout = new TextEncoder().encode(sockets);
  const engine = {
    kind: { name: 'docker' },
    exec: () =>
      Promise.resolve(
        sockets === undefined
          ? { kind: 'error', message: 'no cat' }
          : { kind: 'exited', exitCode: 0, stdout, stderr: new Uint8Array() },
      ),
  } as unknown as Engine;
  const transports = { tcp: () => Promise.resolve(outcome) } as unknown as ProbeTransports;
  const checked = checkedTransports(transports, {
    clock: new RealClock(),
    engine,
    publishedTarget: () => (isPublished ? { holder, id: 'abc' } : undefined),
  });
  return checked.tcp({} as ProbeTarget, '172.18.0.2', 8080, 1);
}

describe('a TCP attempt at a published port', () => {
  it('fails as in a cluster while nothing listens in the container', async () => {
    expect(await attempt(SUCCESS, HEADER)).toMatchObject({
      result: 'failure',
      output: 'dial tcp 172.18.0.2:8080: connect: connection refused',
      reason: 'refused',
    });
  });

  it('succeeds once the port listens', async () => {
    const listening = `${HEADER}   0: 00000000:1F90 00000000:0000 0A 0:0 0:0 0 0 0 4711 1\n`;
    expect(await attempt(SUCCESS, listening)).toBe(SUCCESS);
  });

  it('does not count where the sockets of the container cannot be seen', async () => {
    const { result, error } = await attempt(SUCCESS, undefined);
    expect(result).toBe('unknown');
    expect(error).toContain("docker's proxy accepts connections to the published port");
  });

  it('keeps its failure', async () => {
    const failure: ProbeOutcome = { result: 'failure', output: 'dial tcp: i/o timeout' };
    expect(await attempt(failure, HEADER)).toBe(failure);
  });
});

it('a TCP attempt at another address is not checked', async () => {
  expect(await attempt(SUCCESS, HEADER, false)).toBe(SUCCESS);
});
