import { parentPort, workerData } from 'node:worker_threads';

import { RealClock } from '../clock/real-clock.js';
import type { AttemptCall, AttemptThreadOptions } from './threaded-transports.js';
import { createTransports, loadTransports, mappedPorts } from './transports.js';

const { kubeletVersion, address, ports } = workerData as AttemptThreadOptions;
const clock = new RealClock();
const transports = createTransports({
  clock,
  kubeletVersion,
  dial: mappedPorts(address, ports),
}) as unknown as Record<AttemptCall['kind'], (...args: readonly unknown[]) => Promise<unknown>>;

/** Makes the attempts that it is sent. */
parentPort?.on('message', ({ id, kind, args }: AttemptCall) => {
  const attempt = transports[kind](undefined, ...args);
  void attempt.then((outcome) => parentPort?.postMessage({ id, outcome }));
});

await loadTransports();
parentPort?.postMessage('ready');
