import { describe, expect, it } from 'vitest';

import { loadScenarios } from '../../src/sim/load-scenarios.js';
import { simulate } from '../../src/sim/simulate.js';
import type { TraceLine } from '../../src/trace/trace-line.js';

const HTTP = { httpGet: { path: '/ok', port: 8080 } };
const TCP = { tcpSocket: { port: 8080 } };
const GRPC = { grpc: { port: 9000 } };

async function run(container: object, script: object): Promise<TraceLine[]> {
  const text = JSON.stringify({
    name: 's',
    until: '30s',
    pod: { spec: { containers: [{ name: 'app', image: 'a', ...container }] } },
    containers: { app: script },
  });
  const { scenarios, diagnostics } = loadScenarios([{ file: 'a.json', text }]);
  expect(diagnostics).toEqual([]);
  const lines: TraceLine[] = [];
  await simulate(scenarios[0]!, (line) => lines.push(line));
  return lines;
}

/** Result, latency and output of the first attempt. */
async function attempt(probe: object, script: object): Promise<string> {
  const livenessProbe = { ...probe, periodSeconds: 10, timeoutSeconds: 3 };
  const done = (await run({ livenessProbe }, script)).find(({ kind }) => kind === 'attemptDone');
  if (done?.kind !== 'attemptDone') throw new Error('no attempt was made');
  return `${done.result} in ${done.latency} ms: ${done.output}`;
}

const always = (protocol: string, key: string, answer: object) => ({
  runs: [{ [protocol]: { [key]: [answer] } }],
});

describe('a network probe gets', () => {
  it.each([
    ['200 by default', HTTP, {}, 'success in 2 ms: '],
    [
      'the scripted status',
      HTTP,
      always('http', '/ok', { status: 404, takes: '40ms' }),
      'failure in 40 ms: HTTP probe failed with statuscode: 404',
    ],
    ['the scripted body', HTTP, always('http', '/ok', { body: 'fine' }), 'success in 2 ms: fine'],
    [
      'a warning for a redirect to another host',
      HTTP,
      always('http', '/ok', { status: 302 }),
      'warning in 2 ms: Probe terminated redirects, Response body: ',
    ],
    [
      'connection refused before readyAfter',
      HTTP,
      { readyAfter: '20s' },
      'failure in 2 ms: Get "http://192.168.192.168:8080/ok": dial tcp 192.168.192.168:8080: connect: connection refused',
    ],
    [
      "503 before the probe's readyAfter",
      HTTP,
      { probes: { liveness: { readyAfter: '20s' } } },
      'failure in 2 ms: HTTP probe failed with statuscode: 503',
    ],
    [
      '500 when the app fails',
      HTTP,
      { failRate: '100%' },
      'failure in 2 ms: HTTP probe failed with statuscode: 500',
    ],
    [
      'a timeout when the app hangs',
      HTTP,
      { hangsAt: ['1s..'] },
      'failure in 3000 ms: Get "http://192.168.192.168:8080/ok": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
    ],
    [
      'EOF when the container exits during the attempt',
      HTTP,
      { hangsAt: ['1s..'], runs: [{ exitAfter: '12s' }] },
      'failure in 2003 ms: Get "http://192.168.192.168:8080/ok": EOF',
    ],
    ['a TCP connection by default', TCP, {}, 'success in 2 ms: '],
    ['a TCP connection even if the app hangs', TCP, { hangsAt: ['1s..'] }, 'success in 2 ms: '],
    [
      'a TCP timeout when connections hang',
      TCP,
      { probes: { liveness: { hangsAt: ['1s..'] } } },
      'failure in 3000 ms: dial tcp 192.168.192.168:8080: i/o timeout',
    ],
    [
      'connection refused for a refused port',
      TCP,
      always('tcp', '8080', { refused: true }),
      'failure in 2 ms: dial tcp 192.168.192.168:8080: connect: connection refused',
    ],
    ['SERVING by default', GRPC, {}, 'success in 2 ms: service healthy'],
    [
      'the scripted gRPC health status',
      GRPC,
      always('grpc', '9000', { status: 'SERVICE_UNKNOWN' }),
      'failure in 2 ms: service unhealthy (responded with "SERVICE_UNKNOWN")',
    ],
    [
      'a gRPC timeout when the app hangs',
      GRPC,
      { hangsAt: ['1s..'] },
      'failure in 3000 ms: timeout: health rpc did not complete within 3s',
    ],
    [
      'a gRPC connection timeout before readyAfter',
      GRPC,
      { readyAfter: '20s' },
      'failure in 3000 ms: timeout: failed to connect service "192.168.192.168:9000" within 3s: context deadline exceeded',
    ],
  ])('%s', async (_, probe, script, expected) => {
    expect(await attempt(probe, script)).toBe(expected);
  });
});

describe('a network hook', () => {
  const lifecycle = { postStart: { httpGet: { path: '/hook', port: 8080 } } };
  const hookDone = async (script: object): Promise<TraceLine | undefined> =>
    (await run({ lifecycle }, script)).find(({ kind }) => kind === 'hookDone');

  it('accepts any response status', async () => {
    const done = await hookDone(always('http', '/hook', { status: 500, takes: '2s' }));
    expect(done).toMatchObject({ t: 2.003 });
    expect(done).not.toHaveProperty('error');
  });

  it('fails when the connection is refused', async () => {
    expect(await hookDone(always('http', '/hook', { refused: true }))).toMatchObject({
      error: expect.stringContaining('connection refused') as string,
    });
  });
});
