import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

import { counted } from '../../text/count.js';
import type { Io } from './io.js';
import { createProgress } from './progress.js';

/** Many runs of a job; the seed and a run's number determine its random numbers. */
interface ManyRuns {
  readonly job: object;
  readonly runs: number;
  readonly seed: number;
  readonly program: Parameters<Io['worker']>[0];
  readonly name: string;
}

interface FinishedRun<Figures> {
  readonly run: number;
  readonly figures: Figures;
}

/** Makes many runs on all processors; the results do not depend on how many there are. */
export async function runInWorkers<Figures>(
  { job, runs, seed, program, name }: ManyRuns,
  { notes, signal, worker: programOf }: Pick<Io, 'notes' | 'signal' | 'worker'>,
): Promise<readonly Figures[]> {
  const progress = createProgress(notes, `of ${counted(runs, 'run')}`, { total: runs, minDone: 2 });
  const figures: Figures[] = [];
  let done = 0;
  let next = 0;
  const work = (worker: Worker): Promise<void> =>
    new Promise((resolve, reject) => {
      const give = (): void => {
        if (next >= runs) return resolve();
        worker.postMessage({ ...job, seed, run: next++ });
      };
      worker.on('message', (finished: FinishedRun<Figures>) => {
        figures[finished.run] = finished.figures;
        progress.show(++done, name);
        give();
      });
      worker.on('error', reject);
      worker.on('exit', () => resolve());
      give();
    });
  const count = Math.min(availableParallelism(), runs);
  const workers = Array.from({ length: count }, () => new Worker(programOf(program)));
  const end = (): void => void Promise.all(workers.map((worker) => worker.terminate()));
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    await Promise.all(workers.map(work));
    return figures;
  } finally {
    end();
    progress.clear();
  }
}
