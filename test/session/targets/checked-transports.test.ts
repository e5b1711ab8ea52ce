import { describe, expect, it } from 'vitest';

import { RealClock } from '../../../src/clock/real-clock.js';
import { toByteString } from '../../../src/go/byte-string.js';
import { parseUrl } from '../../../src/go/url-parse.js';
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

const TARGET = { container: { name: 'app' } } as unknown as ProbeTarget;

/** Makes one TCP attempt; `sockets` is what a command in the container prints. */
function attempt(
  outcome: ProbeOutcome,
  sockets: string | undefined,
  isPublished = true,
): Promise<ProbeOutcome> {
  return transportsOf(outcome, sockets, isPublished).tcp(TARGET, '172.18.0.2', 8080, 1);
}

function transportsOf(
  outcome: ProbeOutcome,
  sockets: string | undefined,
  isPublished = true,
): ProbeTransports {
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
  const answer = (): Promise<ProbeOutcome> => Promise.resolve(outcome);
  const transports = { tcp: answer, http: answer, grpc: answer } as unknown as ProbeTransports;
  return checkedTransports(transports, {
    clock: new RealClock(),
    engine,
    publishedTarget: () => (isPublished ? { holder, id: 'abc' } : undefined),
  });
}

const LISTENING = `${HEADER}   0: 00000000:1F90 00000000:0000 0A 0:0 0:0 0 0 0 4711 1\n`;

describe('a TCP attempt at a published port', () => {
  it('fails as in a cluster while nothing listens in the container', async () => {
    expect(await attempt(SUCCESS, HEADER)).toMatchObject({
      result: 'failure',
      output: 'dial tcp 172.18.0.2:8080: connect: connection refused',
      reason: 'refused',
    });
  });

  it('succeeds once the port listens', async () => {
    expect(await attempt(SUCCESS, LISTENING)).toBe(SUCCESS);
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

describe('an HTTP attempt at a published port', () => {
  const detail = { address: '127.0.0.1:32771', timings: { total: 2, connect: 1 } };
  const cut: ProbeOutcome = {
    ...{ result: 'failure', reason: 'reset', detail },
    output:
      'Get "http://172.18.0.2:8080/": read tcp 127.0.0.1:9->127.0.0.1:32771: read: connection reset by peer',
  };
  const get = (sockets: string | undefined, outcome = cut): Promise<ProbeOutcome> => {
    const url = parseUrl(toByteString('http://172.18.0.2:8080/'));
    if (!url.ok) throw new Error(url.error);
    const request = { url: url.value, header: new Map(), host: toByteString('') };
    return transportsOf(outcome, sockets).http(TARGET, request, 1);
  };

  it('is refused as in a cluster where the proxy cut it and nothing listens in the container', async () => {
    expect(await get(HEADER)).toEqual({
      ...{ result: 'failure', reason: 'refused' },
      output:
        'Get "http://172.18.0.2:8080/": dial tcp 172.18.0.2:8080: connect: connection refused',
      detail: { address: '172.18.0.2:8080', timings: { total: 2 } },
    });
  });

  it.each([
    ['the port listens', LISTENING],
    ['nothing shows the sockets of the container', undefined],
  ])('keeps its failure where %s', async (_, sockets) => {
    expect(await get(sockets)).toBe(cut);
  });

  it('keeps an answer', async () => {
    const answered: ProbeOutcome = {
      ...{ result: 'failure', output: 'HTTP probe failed with statuscode: 503', statusCode: 503 },
      detail: { ...detail, response: 'HTTP/1.1 503 Service Unavailable' },
    };
    expect(await get(HEADER, answered)).toBe(answered);
  });
});

it.each([
  ['cut', 'notConnected'],
  ['left open', 'timeout'],
] as const)('a gRPC attempt that the proxy %s has not connected', async (_, reason) => {
  const output = 'timeout: failed to connect service "172.18.0.2:8080" within 1s';
  const detail = { address: '127.0.0.1:32771', timings: { total: 1000, connect: 1 } };
  const failed: ProbeOutcome = { result: 'failure', output, reason, detail };
  expect(await transportsOf(failed, HEADER).grpc(TARGET, '172.18.0.2', 8080, '', 1)).toEqual({
    ...failed,
    reason: 'notConnected',
    detail: { address: '172.18.0.2:8080', timings: { total: 1000 } },
  });
});
