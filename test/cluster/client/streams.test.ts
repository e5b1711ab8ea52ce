import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect as dial } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';

import { afterEach, describe, expect, it } from 'vitest';

import {
  type ChannelHandler,
  type ChannelSocket,
  openChannels,
} from '../../../src/cluster/client/streams.js';
import { json, startApiServer, statusOf, WebSocketPeer } from '../fake-api-server.js';
import { rigOf, type StreamRig } from '../stream-rig.js';

let rig: StreamRig;
let folder: string | undefined;
afterEach(async () => {
  await rig.close();
  if (folder !== undefined) rmSync(folder, { recursive: true });
  folder = undefined;
});

function open(
  handler: ChannelHandler = { onMessage: () => undefined, onClose: () => undefined },
): Promise<ChannelSocket> {
  return openChannels(rig.connection, '/path', ['p'], handler, new AbortController().signal);
}

describe('a socket of channels', () => {
  it('opens with a new token after a 401, and is refused when that fails too', async () => {
    const tokens: (string | undefined)[] = [];
    const folderOfToken = (folder = mkdtempSync(join(tmpdir(), 'kprobe-token-')));
    const tokenFile = join(folderOfToken, 'token');
    writeFileSync(tokenFile, 'first');
    const server = await startApiServer(
      () => undefined,
      (request, socket) => {
        tokens.push(request.headers.authorization);
        writeFileSync(tokenFile, 'second');
        if (
          tokens.at(-1) === 'Bearer second' &&
          tokens.indexOf('Bearer second') === tokens.length - 1
        ) {
          return new WebSocketPeer(request, socket, 'p').close();
        }
        const body = JSON.stringify(statusOf(401, 'Unauthorized'));
        const head = `HTTP/1.1 401 Unauthorized\r\ncontent-length: ${body.length}\r\n`;
        socket.end(`${head}connection: close\r\n\r\n${body}`);
      },
    );
    rig = rigOf(server, { tokenFile });
    await new Promise<void>((resolve, reject) => {
      open({ onMessage: () => undefined, onClose: () => resolve() }).catch(reject);
    });
    // WebSocket asks once more by itself after a 401, with the same token.
    expect([...new Set(tokens)]).toEqual(['Bearer first', 'Bearer second']);
    await expect(open()).rejects.toMatchObject({
      code: 'unauthorized',
      message: `${server.url}: the credentials are missing, wrong or expired (Unauthorized)`,
    });
  });

  it('fails when the server does not answer its upgrade within --request-timeout', async () => {
    const server = await startApiServer(
      () => undefined,
      () => undefined,
    );
    rig = rigOf(server, undefined, undefined, 100);
    const message = `${server.url}: no answer within 0.1 s`;
    await expect(open()).rejects.toMatchObject({ code: 'timeout', message });
  });

  it('stays open after --request-timeout', async () => {
    let peer: WebSocketPeer | undefined;
    const server = await startApiServer(
      () => undefined,
      (request, socket) => (peer = new WebSocketPeer(request, socket, 'p')),
    );
    rig = rigOf(server, undefined, undefined, 100);
    let isClosed = false;
    await open({ onMessage: () => undefined, onClose: () => (isClosed = true) });
    // Its time begins after that of the upgrade.
    await expect(rig.connection.json('/silent')).rejects.toMatchObject({ code: 'timeout' });
    expect(isClosed).toBe(false);
    peer?.close();
  });

  it('goes through the proxy of the cluster', async () => {
    const proxy = createServer();
    const connects: unknown[] = [];
    const ends: Duplex[] = [];
    proxy.on('connect', ({ url }, socket) => {
      connects.push(url);
      const onward = dial(server.port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(onward).pipe(socket);
      });
      ends.push(socket, onward);
      for (const end of ends) end.on('error', () => end.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const server = await startApiServer(
      () => undefined,
      (request, socket) => new WebSocketPeer(request, socket, 'p').send(7, 'hello'),
    );
    const { port } = proxy.address() as AddressInfo;
    rig = rigOf(server, { token: 'abcd' }, { 'proxy-url': `http://127.0.0.1:${port}` });
    const message = await new Promise((resolve, reject) => {
      const onMessage = (channel: number, data: Uint8Array): void =>
        resolve([channel, Buffer.from(data).toString()]);
      openChannels(
        rig.connection,
        '/path',
        ['p'],
        { onMessage, onClose: () => undefined },
        new AbortController().signal,
      ).catch(reject);
    });
    expect(message).toEqual([7, 'hello']);
    expect(connects).toEqual([`127.0.0.1:${server.port}`]);
    for (const end of ends) end.destroy();
    proxy.close();
  });

  it('waits for the text of a refusal, which may come after its status', async () => {
    const text = 'container not found ("app")';
    rig = rigOf(
      await startApiServer((_, response) => {
        response.writeHead(500, { 'content-length': text.length }).flushHeaders();
        setTimeout(() => response.end(text), 50);
      }),
    );
    await expect(open()).rejects.toMatchObject({ message: text });
  });

  it('does not wait for the end of a refusal that has none', async () => {
    rig = rigOf(
      await startApiServer((_, response) => {
        response.writeHead(403).write(' '.repeat(100_000));
      }),
    );
    await expect(open()).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('hides secrets in a refusal', async () => {
    const message = 'no entry for token-of-the-user';
    rig = rigOf(await startApiServer((_, response) => json(response, statusOf(400, message), 400)));
    await expect(open()).rejects.toMatchObject({ message: 'no entry for ***' });
  });
});
