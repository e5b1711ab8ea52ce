import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Answers every request with a status, on a free port of 127.0.0.1. */
export async function startHttpServer(status: number): Promise<HttpServer> {
  const server = createServer((_, response) => {
    response.statusCode = status;
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
