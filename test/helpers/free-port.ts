import { createServer } from 'node:net';

import { startHttpServer } from './http-server.js';

/** Each process has a block of ports below those that systems give out. It holds the first port, so no other test takes the block. */
const BLOCK = 100;
const FIRST = 23_000;
const BLOCKS = 70;
let block: Promise<number> | undefined;
let given = 0;

/** A port of 127.0.0.1 at which nothing listens now. */
export async function freePort(): Promise<number> {
  block ??= takeBlock();
  for (;;) {
    const port = (await block) + 1 + (given++ % (BLOCK - 1));
    const server = await startHttpServer(200, '', port).catch(() => undefined);
    await server?.close();
    if (server !== undefined) return port;
  }
}

/** Returns the first port of a block, which this process listens on until it ends. */
async function takeBlock(): Promise<number> {
  for (let n = 0; n < BLOCKS; n++) {
    const port = FIRST + ((process.pid + n) % BLOCKS) * BLOCK;
    if (await holdPort(port)) return port;
  }
  throw new Error(`all ${BLOCKS} blocks of test ports are taken`);
}

function holdPort(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => {
      server.unref();
      resolve(true);
    });
  });
}
