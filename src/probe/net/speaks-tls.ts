import { connect } from 'node:tls';

/** Milliseconds that a handshake may take. */
const HANDSHAKE_LIMIT = 1000;

/** Resolves with true when a server completes a TLS handshake, whatever its certificate. */
export function speaksTls(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { host, port, ALPNProtocols: ['h2'], rejectUnauthorized: false };
    const socket = connect({ ...options, timeout: HANDSHAKE_LIMIT });
    const end = (is: boolean): void => {
      socket.destroy();
      resolve(is);
    };
    socket.once('secureConnect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}
