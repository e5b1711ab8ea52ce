import { env } from 'node:process';

import fc from 'fast-check';

/** Seed of every property: the same in each run, unless `npm run fuzz` or a person sets another. */
export const SEED = Number(env['KPROBE_TEST_SEED'] ?? 20_260_101);

/** Multiplies the runs of every property; `npm run fuzz` sets it. */
export const RUNS_FACTOR = Number(env['KPROBE_TEST_RUNS'] ?? 1);

fc.configureGlobal({ seed: SEED });

export { fc };
