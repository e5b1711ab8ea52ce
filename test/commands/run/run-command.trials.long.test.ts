import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { ended, startKprobe } from '../../helpers/kprobe.js';

/** A server of plain HTTP: a probe over HTTPS is no request for it, a trial of the other scheme is. */
let server: Server;
let requests = 0;
beforeEach(async () => {
  requests = 0;
  server = createServer((_, response) => {
    requests += 1;
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => server.close());

function start(...options: readonly string[]) {
  const { port } = server.address() as AddressInfo;
  const probe = { httpGet: { port, scheme: 'HTTPS' }, periodSeconds: 1 };
  const containers = [{ name: 'app', image: 'app', livenessProbe: probe }];
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { containers } };
  const input = JSON.stringify(pod);
  return startKprobe(['run', '-', '--until', 'restarted', ...options], { input });
}

it.each([[[]], [['--no-try']], [['--try', '--no-hints']]])(
  'makes no attempts with changes against a server that it has not started: %j',
  async (options) => {
    const { stdout } = await ended(start(...options));
    expect(stdout).toContain('server gave HTTP response to HTTPS client');
    expect(requests).toBe(0);
  },
);

it('makes them with --try', async () => {
  const child = start('--try');
  const end = ended(child);
  await once(server, 'request');
  child.kill('SIGINT');
  await end;
  expect(requests).toBeGreaterThan(0);
});
