import { type RolloutRequest, type RolloutRun, summarizeRollouts } from '../../app/rollout.js';
import { UsageError } from '../../app/usage-error.js';
import { manyRolloutsLines } from '../../render/rollout/many-rollouts-text.js';
import { paintLines } from '../../render/text/paint.js';
import type { RolloutPlan } from '../../rollout/rollout.js';
import { EXIT } from '../shared/exit-code.js';
import { type Io, write } from '../shared/io.js';
import { screen } from '../shared/screen.js';
import { runInWorkers } from '../shared/worker-runs.js';
import type { RolloutFlags } from './rollout-options.js';

/** Simulates a rollout many times; exit code 0 when every run is rolled out without a lost request. */
export async function rolloutRuns(
  plan: RolloutPlan,
  request: RolloutRequest,
  flags: RolloutFlags & { readonly runs: number },
  io: Io,
): Promise<number> {
  const { runs, seed = 1, output } = flags;
  if (output === 'svg') throw new UsageError('--runs can only be combined with -o json');
  const name = `${plan.workload.kind} ${plan.workload.metadata.name}`;
  const work = { job: { request }, runs, seed, program: 'rollout-worker', name } as const;
  const figures = await runInWorkers<RolloutRun>(work, io);
  if (io.signal.aborted) return Number(io.signal.reason);
  const found = summarizeRollouts(figures);
  const about = {
    name,
    rollsOut: plan.change !== undefined,
    hasTraffic: plan.traffic !== undefined,
    hasOutage: (plan.surroundings?.outages ?? []).length > 0,
  };
  const text =
    output === 'json'
      ? `${JSON.stringify({ workload: name, seed, ...found }, undefined, 2)}\n`
      : paintLines(manyRolloutsLines(found, about), screen(flags, io));
  await write(io.stdout, text);
  const isGood = ({ doneAt, failed, backAt }: RolloutRun): boolean =>
    failed === 0 && backAt !== null && (doneAt !== null || !about.rollsOut);
  return figures.every(isGood) ? EXIT.success : EXIT.failure;
}
