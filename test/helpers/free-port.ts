import { startHttpServer } from './http-server.js';

/** A port of 127.0.0.1 at which nothing listens now. */
export async function freePort(): Promise<number> {
  const server = await startHttpServer(200);
  await server.close();
  return server.port;
}
