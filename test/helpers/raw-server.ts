import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

import { onTestFinished } from 'vitest';

export interface RawServer {
  readonly port: number;
  /** The first bytes of each connection so far. */
  readonly requests: readonly string[];
}

/** Calls back with each connection, once its first bytes have come; it is closed when the test ends. */
export async function startRawServer(
  onRequest: (socket: Socket, request: string) => void,
  host = '127.0.0.1',
): Promise<RawServer> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('data', (chunk) => {
      requests.push(chunk.toString('latin1'));
      onRequest(socket, requests.at(-1) ?? '');
    });
  });
  server.listen(0, host);
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, requests };
}

/** Answers every request with these bytes, and closes the connection. */
export function startReplyServer(reply: string | Buffer): Promise<RawServer> {
  return startRawServer((socket) => socket.end(reply, 'latin1'));
}
