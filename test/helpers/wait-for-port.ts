import { connect } from 'node:net';

/** Resolves when something listens at a port of 127.0.0.1; rejects after a minute. */
export async function waitForPort(port: number): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await answers(port))) {
    if (Date.now() > end) throw new Error(`nothing listens at port ${port}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
