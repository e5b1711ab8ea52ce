import { parentPort } from 'node:worker_threads';

import { type NumberedRollout, rolloutRun } from '../../rollout/plan-rollout.js';

parentPort?.on('message', (job: NumberedRollout) => {
  void rolloutRun(job).then((figures) => parentPort?.postMessage({ run: job.run, figures }));
});
