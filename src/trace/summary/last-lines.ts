import type { ContainerView, OutputLine, RunView } from './container-view.js';

/** Whether a run has ended other than by itself and well: it failed, or it was ended. */
export function hasDied({ endedAt, exitCode, stop }: RunView): boolean {
  return endedAt !== undefined && (exitCode !== 0 || stop !== undefined);
}

/** What a run that died wrote last, as far as it is kept; at most so many lines. */
export function lastLines(
  { output }: ContainerView,
  run: RunView | undefined,
  most: number,
): readonly OutputLine[] {
  if (run === undefined || !hasDied(run)) return [];
  return output.filter((line) => line.run === run.run).slice(-most);
}
