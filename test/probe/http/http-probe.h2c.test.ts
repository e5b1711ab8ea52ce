import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { RealClock } from '../../../src/clock/real-clock.js';
import { newRequestForHTTPGetAction } from '../../../src/kubelet/prober/http-request.js';
import { createTransports } from '../../../src/probe/transports.js';
import { buildContainer, buildPod } from '../../helpers/builders.js';
import { freePort } from '../../helpers/free-port.js';
import { Fleet } from '../../helpers/servers/fleet.js';
import type { ServerSpec } from '../../helpers/servers/spec.js';

const container = buildContainer();
const target = { pod: buildPod(), container, containerID: 'c' };
const transports = createTransports({ clock: new RealClock() });
let fleet: Fleet;

beforeEach(() => {
  fleet = new Fleet();
});
afterEach(() => fleet.close());

async function serve(spec: ServerSpec): Promise<number> {
  await fleet.reserve('web', spec);
  const server = fleet.server('web');
  server.spec = spec;
  return server.port;
}

function probe(port: number, path = '/', seconds = 5) {
  const about = { container, podIP: '127.0.0.1', userAgentFragment: 'probe' } as const;
  const request = newRequestForHTTPGetAction({ path, port }, { ...about, kubeletVersion: '1.37' });
  if (!request.ok) throw new Error(request.error);
  return transports.http(target, request.value, seconds, true);
}

describe('an HTTP/2 probe without TLS', () => {
  it('asks by prior knowledge, and succeeds with the status and the body', async () => {
    const h2routes = { '/': { headers: [[':status', '200']] as const, data: 'healthy' } };
    const port = await serve({ mode: 'h2', h2routes });
    expect(await probe(port)).toMatchObject({ result: 'success', output: 'healthy' });
    const [request] = fleet.requestsOf(['web']);
    expect(request?.raw).toContain(':scheme: http');
    expect(request?.raw).toContain('user-agent: kube-probe/1.37');
  });

  it('fails with the status code', async () => {
    const port = await serve({
      mode: 'h2',
      h2routes: { '/': { headers: [[':status', '503']] } },
    });
    const output = 'HTTP probe failed with statuscode: 503';
    expect(await probe(port)).toMatchObject({ result: 'failure', output });
  });

  it('follows a redirect with HTTP/2', async () => {
    const port = await serve({
      mode: 'h2',
      h2routes: {
        '/': { headers: [[':status', '302'], ['location', '/there']] }, // prettier-ignore
        '/there': { headers: [[':status', '200']], data: 'there' },
      },
    });
    expect(await probe(port)).toMatchObject({ result: 'success', output: 'there' });
    expect(fleet.requestsOf(['web'])).toHaveLength(2);
  });

  it('fails when the interim responses have more than 10 MiB in all', async () => {
    const server = createServer();
    server.on('stream', (stream) => {
      stream.on('error', () => undefined);
      // After the first, each takes a few bytes on the wire.
      const link = Array.from({ length: 10 }, () => 'x'.repeat(2900));
      for (let n = 0; n < 400; n++) stream.additionalHeaders({ ':status': 103, link });
      stream.respond({ ':status': 200 }, { endStream: true });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { result, output } = await probe((server.address() as AddressInfo).port, '/', 60);
    server.close();
    expect(result).toBe('failure');
    expect(output).toContain(': stream error: stream ID 1; PROTOCOL_ERROR; header list too large');
  });

  it('fails when the server speaks HTTP/1.1 only', async () => {
    const port = await serve({ mode: 'http', routes: { '/': { status: '200 OK' } } });
    const { result, output } = await probe(port);
    expect(result).toBe('failure');
    expect(output).toBe(
      `Get "http://127.0.0.1:${port}/": http2: failed reading the frame payload: http2: frame too large, note that the frame header looked like an HTTP/1.1 header`,
    );
  });

  it('fails when nothing listens', async () => {
    const port = await freePort();
    const output = `Get "http://127.0.0.1:${port}/": dial tcp 127.0.0.1:${port}: connect: connection refused`;
    expect(await probe(port)).toMatchObject({ result: 'failure', reason: 'refused', output });
  });

  it('times out when the server does not answer', async () => {
    const port = await serve({ mode: 'h2', h2routes: { '/': { delayMs: 5000 } } });
    const output = `Get "http://127.0.0.1:${port}/": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`;
    expect(await probe(port, '/', 0.3)).toMatchObject({
      result: 'failure',
      reason: 'timeout',
      output,
    });
  });
});
