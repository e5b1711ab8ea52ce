import { getEventListeners } from 'node:events';

import { afterEach, describe, expect, it } from 'vitest';

import { exec } from '../../../src/cluster/client/streams.js';
import type { ExecEnd } from '../../../src/cluster/types.js';
import { json, startApiServer, statusOf, type WebSocketPeer } from '../fake-api-server.js';
import { rigOf, type StreamRig, streamRig } from '../stream-rig.js';

const V5 = 'v5.channel.k8s.io';
const APP = { namespace: 'shop', name: 'web', container: 'app' };

let rig: StreamRig;
afterEach(() => rig.close());

async function run(
  serve: (peer: WebSocketPeer) => void,
  signal = new AbortController().signal,
): Promise<{ result: ExecEnd; output: string[] }> {
  rig = await streamRig(V5, serve);
  return attempt(signal);
}

async function attempt(signal = new AbortController().signal) {
  const output: string[] = [];
  const result = await exec(rig.connection, rig.clock, APP, ['sh', '-c', 'a b'], {
    timeout: 2000,
    signal,
    onOutput: (stream, data) => void output.push(`${stream} ${Buffer.from(data).toString()}`),
  });
  return { result, output };
}

const exited = (code: number): string =>
  JSON.stringify({
    ...statusOf(500, 'command terminated with non-zero exit code', 'NonZeroExitCode'),
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  });

describe('exec', () => {
  it('asks for the command, with the credentials, and gives its output and exit code', async () => {
    const { result, output } = await run((peer) => {
      peer.send(1, '');
      peer.send(1, 'out');
      peer.send(2, 'err');
      peer.send(1, 'x'.repeat(300));
      peer.send(3, exited(3));
      peer.close();
    });
    expect(result).toEqual({ kind: 'exited', exitCode: 3 });
    expect(output).toEqual(['stdout out', 'stderr err', `stdout ${'x'.repeat(300)}`]);
    const [seen] = rig.server.seen;
    expect(seen?.url).toBe(
      '/api/v1/namespaces/shop/pods/web/exec?container=app&stdout=true&stderr=true&command=sh&command=-c&command=a+b',
    );
    expect(seen?.headers['sec-websocket-protocol']).toBe(`${V5}, v4.channel.k8s.io`);
    expect(seen?.headers.authorization).toBe('Bearer token-of-the-user');
  });

  it('keeps no listener of a command that has ended', async () => {
    const { signal } = new AbortController();
    await run((peer) => peer.close(), signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('keeps no more of an error than an API server sends', async () => {
    const { result } = await run((peer) => {
      for (let part = 0; part < 4; part++) peer.send(3, 'x'.repeat(60_000));
      peer.close();
    });
    expect(JSON.stringify(result).length).toBeLessThan(70_000);
  });

  it.each([
    [JSON.stringify({ kind: 'Status', status: 'Success' }), { kind: 'exited', exitCode: 0 }],
    [
      JSON.stringify(statusOf(500, 'executable file not found', 'InternalError')),
      { kind: 'failed', message: 'executable file not found' },
    ],
    ['', { kind: 'failed', message: 'the connection closed before the command ended' }],
    ['{"status":', { kind: 'failed', message: 'the server sent no status: {"status":' }],
  ])('that ends with %j is %j', async (status, expected) => {
    const { result } = await run((peer) => {
      if (status !== '') peer.send(3, status);
      peer.close();
    });
    expect(result).toEqual(expected);
  });

  it('ends at its own timeout, and closes the connection', async () => {
    let peer: WebSocketPeer | undefined;
    const results: ExecEnd[] = [];
    void run((one) => (peer = one)).then(({ result }) => results.push(result));
    await expect.poll(() => peer).toBeDefined();
    // The timeout begins when the client has heard of the connection.
    while (results.length === 0) {
      await new Promise((next) => setTimeout(next, 5));
      await rig.clock.advance(2000);
    }
    expect(results).toEqual([{ kind: 'timeout' }]);
    await peer?.closed;
  });

  it('ends with an abort', async () => {
    const stop = new AbortController();
    const done = run(() => setTimeout(() => stop.abort(), 20), stop.signal);
    await expect(done).rejects.toThrow('aborted');
  });

  it.each([
    [404, 'pods "web" not found', 'notFound'],
    [400, 'container app is not valid for pod web', 'invalid'],
    [
      403,
      'x: User "u" cannot create resource "pods/exec" in API group "" in the namespace "shop"',
      'forbidden',
    ],
  ])('that is refused with %i says why', async (status, message, code) => {
    const server = await startApiServer((_, response) =>
      json(response, statusOf(status, message), status),
    );
    rig = rigOf(server);
    const expected =
      status === 403 ? 'user "u" may not create pods/exec in namespace "shop"' : message;
    await expect(attempt()).rejects.toMatchObject({ code, message: expected });
  });

  it('names a server that cannot be reached', async () => {
    const server = await startApiServer(() => undefined);
    rig = rigOf(server);
    await server.close();
    await expect(attempt()).rejects.toMatchObject({
      code: 'unreachable',
      message: `${server.url} cannot be reached: connection refused`,
    });
  });
});
