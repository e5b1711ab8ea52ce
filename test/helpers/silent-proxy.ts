import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy on 127.0.0.1 that can fall silent: connections stay open, and nothing passes, no end either. */
export interface SilentProxy {
  readonly url: string;
  /** Stops all data, or lets it pass again. */
  silence(isSilent: boolean): void;
  close(): void;
}

export async function startSilentProxy(to: string): Promise<SilentProxy> {
  const { hostname, port, protocol } = new URL(to);
  const sockets = new Set<Socket>();
  /** Sockets whose other side was closed during a silence, such as an idle one by its server. */
  const orphans = new Set<Socket>();
  let isSilent = false;
  const hold = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    if (isSilent) socket.pause();
  };
  const server: Server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const [from, into] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('data', (chunk: Buffer) => into.write(chunk));
      from.on('close', () => {
        if (isSilent) orphans.add(into);
        else into.destroy();
      });
      hold(from);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `${protocol}//127.0.0.1:${(server.address() as AddressInfo).port}`,
    silence(silent) {
      isSilent = silent;
      for (const socket of sockets) {
        if (silent) socket.pause();
        else socket.resume();
      }
      for (const socket of silent ? [] : orphans) socket.destroy();
      orphans.clear();
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
