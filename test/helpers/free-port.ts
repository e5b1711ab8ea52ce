import { startHttpServer } from './http-server.js';

/** Each process has ports of its own, below those that systems give out: nobody takes one before the test does. */
const BLOCK = 100;
const FIRST = 23_000 + (process.pid % 70) * BLOCK;
let given = 0;

/** A port of 127.0.0.1 at which nothing listens now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + (given++ % BLOCK);
    const server = await startHttpServer(200, '', port).catch(() => undefined);
    await server?.close();
    if (server !== undefined) return port;
  }
}
