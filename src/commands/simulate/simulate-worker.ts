import { parentPort } from 'node:worker_threads';

import { type NumberedRun, simulateRun } from '../../sim/many-runs.js';

parentPort?.on('message', (job: NumberedRun) => {
  void simulateRun(job).then((figures) => parentPort?.postMessage({ run: job.run, figures }));
});
