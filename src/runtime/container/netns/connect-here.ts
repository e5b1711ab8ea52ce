import { connect } from 'node:net';
import type { Duplex } from 'node:stream';

/** Connects from this machine; rejects with the socket's error. */
export function connectHere(host: string, port: number): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, allowHalfOpen: true });
    socket.pause();
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}
