import { afterEach, describe, expect, it } from 'vitest';

import { portForward } from '../../../src/cluster/client/streams.js';
import { json, startApiServer, statusOf, type WebSocketPeer } from '../fake-api-server.js';
import { rigOf, type StreamRig, streamRig } from '../stream-rig.js';

const V4 = 'v4.channel.k8s.io';
const POD = { namespace: 'shop', name: 'web' };
const PORT = Buffer.from([0x90, 0x1f]);

let rig: StreamRig;
afterEach(() => rig.close());

const never = new AbortController().signal;

function begin(peer: WebSocketPeer): void {
  peer.send(0, PORT);
  peer.send(1, PORT);
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('a forwarded port', () => {
  it('carries bytes both ways until the pod closes', async () => {
    rig = await streamRig(V4, (peer) => {
      begin(peer);
      void peer.next().then((message) => {
        peer.send(0, `${message[0]} ${message.subarray(1).toString()} `);
        peer.send(0, 'world');
        peer.close();
      });
    });
    const stream = await portForward(rig.connection, POD, 8080, never);
    stream.write('hello');
    expect(await textOf(stream)).toBe('0 hello world');
    const [seen] = rig.server.seen;
    expect(seen?.url).toBe('/api/v1/namespaces/shop/pods/web/portforward?ports=8080');
    expect(seen?.headers['sec-websocket-protocol']).toBe(V4);
  });

  it('knows the port number of a channel from data in the same message', async () => {
    rig = await streamRig(V4, (peer) => {
      peer.send(0, Buffer.concat([PORT, Buffer.from('early')]));
      peer.close();
    });
    expect(await textOf(await portForward(rig.connection, POD, 8080, never))).toBe('early');
  });

  it.each([
    [
      'failed to connect to localhost:8080: dial tcp4 127.0.0.1:8080: connect: connection refused',
      'ECONNREFUSED',
    ],
    ['pod sandbox is gone', 'failed'],
  ])('fails with the error of the runtime: %s', async (message, code) => {
    rig = await streamRig(V4, (peer) => {
      begin(peer);
      peer.send(1, message);
      peer.close();
    });
    const stream = await portForward(rig.connection, POD, 8080, never);
    await expect(textOf(stream)).rejects.toMatchObject({ message, code });
  });

  it('closes the connection when it is destroyed, and when it is aborted', async () => {
    const peers: WebSocketPeer[] = [];
    rig = await streamRig(V4, (peer) => {
      begin(peer);
      peers.push(peer);
    });
    const stop = new AbortController();
    const stream = await portForward(rig.connection, POD, 8080, never);
    const aborted = await portForward(rig.connection, POD, 8080, stop.signal);
    stream.destroy();
    stop.abort();
    await Promise.all(peers.map(({ closed }) => closed));
    expect(await textOf(aborted)).toBe('');
  });

  it('may be opened often with one signal, without a warning of Node', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on('warning', note);
    rig = await streamRig(V4, begin);
    const stop = new AbortController();
    for (let i = 0; i < 12; i++) await portForward(rig.connection, POD, 8080, stop.signal);
    stop.abort();
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', note);
    expect(warnings.filter(({ name }) => name === 'MaxListenersExceededWarning')).toEqual([]);
  });

  it('of a pod that is not there says so', async () => {
    const missing = statusOf(404, 'pods "web" not found');
    rig = rigOf(await startApiServer((_, response) => json(response, missing, 404)));
    const opening = portForward(rig.connection, POD, 8080, never);
    await expect(opening).rejects.toMatchObject({
      code: 'notFound',
      message: 'pods "web" not found',
    });
  });
});
