import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

export interface Held {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Holds a port that refuses connections: it is the local end of a connection to somewhere else. */
export async function holdUnlistened(host: string, port: number): Promise<Held> {
  const { server, port: elsewhere } = await listen(host, 0);
  const socket = connect({ host, port: elsewhere, localAddress: host, localPort: port });
  await once(socket, 'connect');
  return {
    port: socket.localPort ?? 0,
    close: async () => {
      socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function listen(host: string, port: number): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => socket.on('error', () => socket.destroy()));
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  return { server, port: typeof address === 'object' && address ? address.port : 0 };
}

/** A thread that listens and then sleeps: the kernel does the handshakes, nobody accepts. */
const SLEEPER = `
const { parentPort, workerData } = require('node:worker_threads');
const server = require('node:net').createServer();
server.listen({ host: workerData.host, port: workerData.port, backlog: workerData.backlog }, () => {
  parentPort.postMessage(server.address().port);
  setImmediate(() => Atomics.wait(new Int32Array(workerData.lock), 0, 0));
});
`;

/** Listens without ever accepting. */
export async function holdUnaccepted(host: string, port: number, backlog = 64): Promise<Held> {
  const lock = new SharedArrayBuffer(4);
  const worker = new Worker(SLEEPER, { eval: true, workerData: { host, port, backlog, lock } });
  const [listening] = (await once(worker, 'message')) as [number];
  return {
    port: listening,
    close: async () => {
      Atomics.store(new Int32Array(lock), 0, 1);
      Atomics.notify(new Int32Array(lock), 0);
      await worker.terminate();
    },
  };
}

const FILL_TRIES = 32;

/** Listens without accepting, with the queue full: a connect hangs. */
export async function holdFull(host: string, port: number): Promise<Held> {
  const held = await holdUnaccepted(host, port, 1);
  const fillers: Socket[] = [];
  for (let i = 0; i < FILL_TRIES; i++) {
    const filler = connect({ host, port: held.port });
    fillers.push(filler);
    filler.on('error', () => filler.destroy());
    const connected = await Promise.race([
      once(filler, 'connect').then(() => true),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 100)),
    ]);
    if (!connected) break;
  }
  return {
    port: held.port,
    close: async () => {
      for (const filler of fillers) filler.destroy();
      await held.close();
    },
  };
}
