import { createServer } from 'node:http';

import { EXIT } from '../../cli/shared/exit-code.js';
import type { Io } from '../../cli/shared/io.js';
import { RealClock } from '../../clock/real-clock.js';
import { isLoopback } from '../../go/addr.js';
import type { DemoBehavior } from './faults.js';

/** Runs the server of the demo until a signal ends it; resolves with the exit code. */
export async function serveDemo(
  { upAfter, hangsAfter, crash, notReady }: DemoBehavior,
  port: number,
  { stdout, stderr, signal }: Io,
): Promise<number> {
  const clock = new RealClock();
  const begin = clock.now();
  const age = (): number => (clock.now() - begin) / 1000;
  if (crash !== undefined) {
    stderr.write(`${crash}\n`);
    return EXIT.failure;
  }
  const server = createServer(({ url }, response) => {
    const isUp = age() >= upAfter;
    const failure = isUp ? (url === '/ready' ? notReady : undefined) : 'loading the catalog';
    response.statusCode = failure === undefined ? 200 : 503;
    response.end(`${failure ?? 'ok'}\n`);
  });
  // The server listens on all addresses, as one in a pod has to, but serves only this machine.
  server.on('connection', (socket) => {
    if (!isLoopback(socket.remoteAddress ?? '')) socket.destroy();
  });
  server.listen(port, () => stdout.write(`listening on port ${port}\n`));
  if (hangsAfter !== undefined) clock.setTimeout(hang, hangsAfter * 1000);
  await new Promise((resolve) => {
    signal.addEventListener('abort', resolve, { once: true });
  });
  server.close();
  server.closeAllConnections();
  return EXIT.success;
}

/** Stops this thread forever, without using its processor. */
function hang(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
