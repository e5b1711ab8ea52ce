import type { ContainerView, RunView } from '../summary/container-view.js';

/** The run that goes on now. */
export function currentRun({
  runs,
}: ContainerView): (RunView & { readonly startedAt: number }) | undefined {
  const run = runs.at(-1);
  if (run?.startedAt === undefined || run.endedAt !== undefined) return undefined;
  return { ...run, startedAt: run.startedAt };
}
