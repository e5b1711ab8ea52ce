import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createSecureServer, createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo, Server } from 'node:net';

import { describe, expect, it } from 'vitest';

import { startHttpServer } from '../../helpers/http-server.js';
import { inProcess } from '../../helpers/in-process.js';
import { certificate } from '../../helpers/servers/certificate.js';

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function httpAgent(...flags: string[]): Promise<string | undefined> {
  let agent: string | undefined;
  const server = createHttpServer((request, response) => {
    agent = request.headers['user-agent'];
    response.end();
  });
  await inProcess(['once', '--http', `:${await portOf(server)}`, '-q', ...flags]);
  server.close();
  return agent;
}

async function grpcAgent(...flags: string[]): Promise<string | undefined> {
  let agent: string | undefined;
  const server = createHttp2Server();
  server.on('stream', (stream, headers) => {
    agent = headers['user-agent'];
    stream.respond({ 'content-type': 'application/grpc', 'grpc-status': '12' });
    stream.end();
  });
  await inProcess(['once', '--grpc', `:${await portOf(server)}`, '-q', ...flags]);
  server.close();
  return agent;
}

describe.concurrent('the kubelet version', () => {
  it('is 1.36 in requests by default', async () => {
    expect(await httpAgent()).toBe('kube-probe/1.36');
    expect(await grpcAgent()).toMatch(/^kube-probe\/1\.36 grpc-go\//);
  });

  it('is the release given by --kubernetes-version', async () => {
    expect(await httpAgent('--kubernetes-version', '1.34')).toBe('kube-probe/1.34');
    expect(await grpcAgent('--kubernetes-version', '1.34')).toMatch(
      /^kube-probe\/1\.34 grpc-go\/1\.72\.1/,
    );
  });
});

describe.concurrent('control characters in a response', () => {
  const body = Buffer.concat([Buffer.from('\u001b[31mred\r\u202egnirts\u0007'), Buffer.of(0xff)]);
  const prefix = 'Probe terminated redirects, Response body: ';

  async function once302(...flags: string[]): Promise<string> {
    const server = await startHttpServer(302, body);
    const { stdout } = await inProcess(['once', '--http', `:${server.port}`, ...flags]);
    await server.close();
    return stdout;
  }

  it('are escaped in text, with and without -v', async () => {
    for (const flags of [[], ['-v']]) {
      const text = await once302(...flags);
      expect(text).toContain('\\x1b[31mred\\r\\u202egnirts\\x07');
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
      expect(Buffer.from(text).includes(0xff)).toBe(false);
    }
  });

  it('are unchanged with -o json, with raw bytes when the body is not UTF-8', async () => {
    const line = JSON.parse(await once302('-o', 'json')) as Record<string, unknown>;
    expect(line['output']).toBe(`${prefix}\u001b[31mred\r\u202egnirts\u0007\ufffd`);
    const bytes = Buffer.from(String(line['outputB64']), 'base64');
    expect(bytes).toEqual(Buffer.concat([Buffer.from(prefix), body]));
  });
});

describe.concurrent('a protocol that the kubelet has from 1.37 on', () => {
  it('is HTTP/2 without TLS with --http2-prior-knowledge', async () => {
    let agent: string | undefined;
    const server = createHttp2Server((request, response) => {
      agent = request.headers['user-agent'];
      response.end('healthy');
    });
    const flags = ['--http', `:${await portOf(server)}`, '--http2-prior-knowledge'];
    const { stdout, code } = await inProcess(['once', ...flags, '-o', 'json']);
    server.close();
    expect(JSON.parse(stdout)).toMatchObject({ result: 'success', output: 'healthy' });
    expect(agent).toBe('kube-probe/1.37');
    expect(code).toBe(0);
  });

  it('is gRPC over TLS with --tls', async () => {
    const server = createSecureServer(certificate('selfSigned'));
    server.on('stream', (stream) => {
      stream.respond({ 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.end(Buffer.from([0, 0, 0, 0, 2, 8, 1]));
    });
    const address = `:${await portOf(server)}`;
    const [plain, secure] = [
      await inProcess(['once', '--grpc', address, '-q']),
      await inProcess(['once', '--grpc', address, '--tls', '-o', 'json', '-m', '5s']),
    ];
    server.close();
    expect(plain.code).toBe(1);
    expect(JSON.parse(secure.stdout)).toMatchObject({ result: 'success' });
  });

  it.each([
    ['--http2-prior-knowledge needs an HTTP probe', '--https', ':1', '--http2-prior-knowledge'],
    ['--http2-prior-knowledge needs an HTTP probe', '--tcp', ':1', '--http2-prior-knowledge'],
    ['--tls needs a gRPC probe', '--http', ':1', '--tls'],
    [
      'Kubernetes 1.36 has no feature gate "H2CContainerProbe" (it is a gate of 1.37)',
      '--http',
      ':1',
      '--http2-prior-knowledge',
      '--kubernetes-version=1.36',
    ],
  ])('is refused: %s', async (message, ...args) => {
    const { stderr, code } = await inProcess(['once', ...args]);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});
