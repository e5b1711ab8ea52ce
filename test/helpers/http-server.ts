import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Answers every request with a status and a body, on a port of 127.0.0.1, a free one unless it is given. */
export async function startHttpServer(
  status: number,
  body: string | Uint8Array = '',
  given = 0,
): Promise<HttpServer> {
  const server = createServer((_, response) => {
    response.statusCode = status;
    response.end(body);
  });
  server.listen(given, '127.0.0.1');
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
