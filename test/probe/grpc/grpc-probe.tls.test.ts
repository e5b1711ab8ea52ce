import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { RealClock } from '../../../src/clock/real-clock.js';
import { createTransports } from '../../../src/probe/transports.js';
import { buildContainer, buildPod } from '../../helpers/builders.js';
import { Fleet } from '../../helpers/servers/fleet.js';
import type { ServerSpec } from '../../helpers/servers/spec.js';

const target = { pod: buildPod(), container: buildContainer(), containerID: 'c' };
const transports = createTransports({ clock: new RealClock(), kubeletVersion: '1.37' });
let fleet: Fleet;

beforeEach(() => {
  fleet = new Fleet();
});
afterEach(() => fleet.close());

async function serve(spec: ServerSpec): Promise<number> {
  await fleet.reserve('health', spec);
  const server = fleet.server('health');
  server.spec = spec;
  return server.port;
}

const probe = (port: number, seconds = 5) =>
  transports.grpc(target, '127.0.0.1', port, '', seconds, true);

const notConnected = (port: number, timeout: string): string =>
  `timeout: failed to connect service "127.0.0.1:${port}" within ${timeout}: context deadline exceeded`;

describe('a gRPC probe over TLS', () => {
  it.each(['selfSigned', 'expired', 'wrongName'] as const)(
    'accepts a certificate that is %s',
    async (cert) => {
      const port = await serve({ mode: 'grpc', tls: { cert, alpn: ['h2'] } });
      expect(await probe(port)).toMatchObject({ result: 'success', output: 'service healthy' });
      const [request] = fleet.requestsOf(['health']);
      expect(request?.raw).toContain(':scheme: https');
      expect(request?.raw).toContain(`:authority: 127.0.0.1:`);
      expect(request?.raw).toContain('user-agent: kube-probe/1.37 grpc-go/1.82.1');
    },
  );

  it('fails with the status of the service', async () => {
    const grpc = { services: { '': 'NOT_SERVING' } } as const;
    const port = await serve({ mode: 'grpc', grpc, tls: { alpn: ['h2'] } });
    const output = 'service unhealthy (responded with "NOT_SERVING")';
    expect(await probe(port)).toMatchObject({ result: 'failure', output, reason: 'notServing' });
  });

  it('does not connect to a server without TLS', async () => {
    const port = await serve({ mode: 'grpc' });
    const output = notConnected(port, '300ms');
    expect(await probe(port, 0.3)).toMatchObject({ result: 'failure', output });
  });

  it('does not connect to a server that does not choose h2', async () => {
    const port = await serve({ mode: 'grpc', tls: {} });
    const output = notConnected(port, '300ms');
    expect(await probe(port, 0.3)).toMatchObject({ result: 'failure', output });
  });
});
