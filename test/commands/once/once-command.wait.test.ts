import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';

import { expect, it } from 'vitest';

import { freePort } from '../../helpers/free-port.js';
import { startHttpServer } from '../../helpers/http-server.js';
import { ended, kprobe, startKprobe } from '../../helpers/kprobe.js';
import { certificate } from '../../helpers/servers/certificate.js';

it('--until-failure waits until the server is gone', async () => {
  const server = await startHttpServer(200);
  const child = startKprobe([
    ...['once', '--http', `:${server.port}`, '--until-failure', '--interval', '50ms'],
    ...['--timeout', '150s', '--failure-threshold', '2'],
  ]);
  await once(child.stdout ?? child, 'data');
  await server.close();
  const end = await ended(child);
  expect(end.code).toBe(0);
  expect(end.stdout).toMatch(/failure {2}\(2 of 2, (?:\d+ ms|[\d.]+ s)\)/);
});

it.each([
  ['once --tcp :1 --until-failure --until-success'],
  ['once --tcp :1 --until-failure --repeat 2'],
])('--until-failure conflicts with other options: %s', async (line) => {
  const end = await kprobe(line.split(' '));
  expect(end.code).toBe(2);
  expect(end.stderr).toMatch(/cannot be used with/);
});

it('tcp:PORT and tcp:HOST:PORT are accepted, as wait-on has them', async () => {
  const server = await startHttpServer(200);
  const { port } = server;
  const forms = [[`tcp:${port}`], [`tcp:127.0.0.1:${port}`], ['--tcp', `tcp:${port}`]];
  const ends = await Promise.all(forms.map((form) => kprobe(['once', ...form])));
  await server.close();
  expect(ends.map(({ code }) => code)).toEqual([0, 0, 0]);
  for (const { stdout } of ends) expect(stdout).toContain(`127.0.0.1:${port}`);
});

it('a gRPC server with TLS is reported as the cause, in text and JSON', async () => {
  const server = createSecureServer(certificate('selfSigned')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const [text, json] = await Promise.all([
    kprobe(['once', '--grpc', `:${port}`]),
    kprobe(['once', '--grpc', `:${port}`, '-o', 'json']),
  ]);
  server.close();
  const diagnosis = 'the server speaks TLS, and a gRPC probe without grpc.mode does not';
  expect(text.code).toBe(1);
  expect(text.stdout).toContain(`cause    ${diagnosis}\n`);
  expect(JSON.parse(json.stdout)).toMatchObject({
    diagnosis: { fault: { kind: 'notPlainGrpc', speaks: 'TLS' }, cause: diagnosis },
    result: 'failure',
  });
});

it('TLS is not mentioned when nothing listens', async () => {
  const end = await kprobe(['once', '--grpc', `:${await freePort()}`]);
  expect(end.code).toBe(1);
  expect(end.stdout).not.toContain('TLS');
});

it('-p with a port that no probe uses is an error', async () => {
  const end = await kprobe(['once', '--tcp', ':8080', '-p', '18080:80']);
  expect(end.code).toBe(2);
  expect(end.stderr).toContain('no probe uses port 80 (probed: 8080)');
});
