import { once } from 'node:events';
import { createServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { RealClock } from '../../../src/clock/real-clock.js';
import { createTransports } from '../../../src/probe/transports.js';
import { buildContainer, buildPod } from '../../helpers/builders.js';

/** A message of two bytes: the status SERVING. */
const SERVING = Buffer.from([0, 0, 0, 0, 2, 8, 1]);
const target = { pod: buildPod(), container: buildContainer(), containerID: 'c' };
const server = createServer();

/** Answers as a server that sends hints first. */
function answer(stream: ServerHttp2Stream): void {
  stream.on('error', () => undefined);
  stream.additionalHeaders({ ':status': 103, link: '</a.css>' });
  const headers = { ':status': 200, 'content-type': 'application/grpc' };
  stream.respond(headers, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(SERVING);
}

beforeEach(async () => {
  server.on('stream', answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => server.close());

const HINTS = 'unexpected HTTP status code received from server: 103 (Early Hints)';

it('a gRPC probe reads on after an interim response from 1.36 on', async () => {
  const { port } = server.address() as AddressInfo;
  const attempt = (kubeletVersion: string) =>
    createTransports({ clock: new RealClock(), kubeletVersion }).grpc(
      target,
      '127.0.0.1',
      port,
      '',
      30,
    );
  expect(await attempt('1.36')).toMatchObject({ result: 'success', output: 'service healthy' });
  const before = await attempt('1.35');
  expect(before.result).toBe('failure');
  expect(before.output).toContain(HINTS);
});
