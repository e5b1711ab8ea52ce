import { parentPort, workerData } from 'node:worker_threads';

import { RealClock } from '../clock/real-clock.js';
import type { AttemptAnswer, AttemptCall, AttemptThreadOptions } from './threaded-transports.js';
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
  const begin = clock.now();
  const latenessOf = clock.measureLateness();
  const attempt = transports[kind](undefined, ...args);
  void attempt.then((outcome) => {
    const took = clock.now() - begin - latenessOf();
    parentPort?.postMessage({ id, outcome, took } satisfies AttemptAnswer);
  });
});

void loadTransports().then(() => parentPort?.postMessage('ready'));
