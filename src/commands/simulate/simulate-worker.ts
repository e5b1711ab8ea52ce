import { parentPort } from 'node:worker_threads';

import { type RunBatch, runBatch } from '../../sim/many-runs.js';

parentPort?.on('message', (batch: RunBatch) => {
  void runBatch(batch).then((figures) => parentPort?.postMessage({ from: batch.from, figures }));
});
