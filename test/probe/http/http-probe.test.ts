import { describe, expect, it } from 'vitest';

import { RealClock } from '../../../src/clock/real-clock.js';
import { newRequestForHTTPGetAction } from '../../../src/kubelet/prober/http-request.js';
import { httpHook, httpProbe } from '../../../src/probe/http/http-probe.js';
import { buildContainer, buildPod } from '../../helpers/builders.js';
import { startRawServer, startReplyServer } from '../../helpers/raw-server.js';

const options = { clock: new RealClock() };
const container = buildContainer();
const target = { pod: buildPod(), container, containerID: 'c' };

function requestTo(port: number) {
  const about = { container, podIP: '127.0.0.1', userAgentFragment: 'probe' } as const;
  const request = newRequestForHTTPGetAction({ path: '/', port }, about);
  if (!request.ok) throw new Error(request.error);
  return request.value;
}

const probe = (port: number, seconds = 5) => httpProbe(options, target, requestTo(port), seconds);

describe('an HTTP probe', () => {
  it('succeeds when a server uses bare line feeds', async () => {
    const { port } = await startReplyServer('HTTP/1.1 200 OK\n\nhealthy');
    expect(await probe(port)).toMatchObject({ result: 'success', output: 'healthy' });
  });

  it('fails with the status code, without the body', async () => {
    const { port } = await startReplyServer('HTTP/1.1 503 x\r\n\r\nsecret');
    const output = 'HTTP probe failed with statuscode: 503';
    expect(await probe(port)).toMatchObject({ result: 'failure', output });
  });

  it('returns a warning for a redirect that is not followed', async () => {
    const { port } = await startReplyServer(
      'HTTP/1.1 302 x\r\nLocation: http://other.example/\r\n\r\nbody',
    );
    const output = 'Probe terminated redirects, Response body: body';
    expect(await probe(port)).toMatchObject({ result: 'warning', output });
  });

  it('keeps 10 KiB of a body', async () => {
    const { port } = await startReplyServer(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(20_000)}`);
    expect((await probe(port)).output).toHaveLength(10_240);
  });

  it('leaves out the middle of a long text of the target', async () => {
    const location = `/${'x'.repeat(200_000)}`;
    const { port } = await startReplyServer(`HTTP/1.1 302 x\r\nLocation: ${location}\r\n\r\n`);
    const { output, detail } = await probe(port, 60);
    expect(output).toMatch(
      /^Get "\/x{30000,33000}\.\.\.x{30000,33000}": stopped after 10 redirects$/,
    );
    expect(detail?.request?.length).toBeLessThan(66_000);
    expect(detail?.response?.length).toBeLessThan(66_000);
  });

  it('returns an error when the body ends early', async () => {
    const { port } = await startReplyServer('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort');
    expect(await probe(port)).toMatchObject({ result: 'failure', error: 'unexpected EOF' });
  });

  it('times out while it waits for the head or for the body', async () => {
    const silent = await startRawServer(() => undefined);
    expect((await probe(silent.port, 0.1)).output).toContain(
      'context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
    );
    const slow = await startRawServer((socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nx'));
    expect(await probe(slow.port, 0.1)).toMatchObject({
      result: 'failure',
      error:
        'context deadline exceeded (Client.Timeout or context cancellation while reading body)',
    });
  });

  it("names the pod's address where another one is dialed, such as that of a published port", async () => {
    const { port } = await startReplyServer('HTTP/1.1 200 OK\r\n\r\n');
    const dial = () => ({ host: '127.0.0.1', port });
    const { result, detail } = await httpProbe({ ...options, dial }, target, requestTo(8080), 5);
    expect(result).toBe('success');
    expect(detail).toMatchObject({
      address: `127.0.0.1:${port}`,
      request: expect.stringContaining('Host: 127.0.0.1:8080\r\n') as string,
    });
  });

  it('has request, response and timings as detail', async () => {
    const { port } = await startReplyServer('HTTP/1.1 200 OK\r\nA: b\r\n\r\nok');
    const { detail } = await probe(port);
    expect(detail).toMatchObject({
      address: `127.0.0.1:${port}`,
      response: 'HTTP/1.1 200 OK\r\nA: b\r\n\r\n',
    });
    expect(detail?.request).toContain(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`);
    const measured: unknown = expect.any(Number);
    expect(detail?.timings).toEqual({ connect: measured, firstByte: measured, total: measured });
  });
});

describe('an HTTP hook', () => {
  it('succeeds with any status', async () => {
    const { port, requests } = await startReplyServer('HTTP/1.1 500 x\r\n\r\nbody');
    expect(await httpHook(options, target, requestTo(port))).toBeUndefined();
    expect(requests).toHaveLength(1);
    expect(requests[0]).toContain('Accept-Encoding: gzip\r\n');
  });

  it('returns the error when it fails', async () => {
    const { port } = await startReplyServer('nothing\r\n');
    expect(await httpHook(options, target, requestTo(port))).toContain('malformed HTTP response');
  });
});
