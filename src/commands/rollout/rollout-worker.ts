import { parentPort } from 'node:worker_threads';

import { type RolloutBatch, rolloutBatch } from '../../rollout/plan-rollout.js';

parentPort?.on('message', (batch: RolloutBatch) => {
  void rolloutBatch(batch).then((figures) =>
    parentPort?.postMessage({ from: batch.from, figures }),
  );
});
