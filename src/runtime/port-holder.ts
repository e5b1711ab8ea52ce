import { connect } from 'node:net';

import { accepts, programName, socketOwner, tcpSockets } from './process-facts.js';

/** Milliseconds; what does not accept a connection by then does not listen. */
const CONNECT_LIMIT = 1000;

export function isListening(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_LIMIT });
    const end = (isConnected: boolean): void => {
      socket.destroy();
      resolve(isConnected);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}

/** Finds the process that listens there; undefined where /proc does not show it, as without the right to see it. */
export function portHolder(
  host: string,
  port: number,
): { readonly pid: number; readonly name: string } | undefined {
  const sockets = tcpSockets().filter((socket) => accepts(socket, host, port));
  const pid = socketOwner(new Set(sockets.map(({ inode }) => inode)));
  return pid === undefined ? undefined : { pid, name: programName(pid) };
}
