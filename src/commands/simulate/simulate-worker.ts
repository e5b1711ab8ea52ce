import { parentPort } from 'node:worker_threads';

import { type RunBatch, runBatch } from '../../sim/many-runs.js';

/** Makes the batches of runs that it is sent, one after another. */
parentPort?.on('message', (batch: RunBatch) => {
  void runBatch(batch).then((figures) => parentPort?.postMessage({ from: batch.from, figures }));
});
