import { fold } from '../trace/summary/fold.js';
import { EMPTY_SUMMARY, type Summary } from '../trace/summary/summary.js';
import { type Verdict, verdictOf } from '../trace/summary/verdict.js';
import type { TraceLine } from '../trace/trace-line.js';
import { TraceMask } from '../trace/trace-mask.js';
import type { Scenario } from './scenario.js';
import { simulate } from './simulate.js';

export interface SimulatedRun {
  readonly summary: Summary;
  /** The verdict before the pods were deleted, if they were. */
  readonly verdict: Verdict;
}

/** Simulates scenarios concurrently, and reports each line in the order of time, with secrets masked. */
export async function simulateScenarios(
  scenarios: readonly Scenario[],
  onLine: (line: TraceLine, summary: Summary) => void,
  seed?: number,
  withSecrets = false,
): Promise<SimulatedRun> {
  let summary = EMPTY_SUMMARY;
  let verdict: Verdict | undefined;
  const mask = withSecrets ? undefined : new TraceMask();
  const take = (whole: TraceLine): void => {
    const line = mask?.line(whole) ?? whole;
    if (line.kind === 'action' && line.do === 'delete') verdict ??= verdictOf(summary);
    summary = fold(summary, line);
    onLine(line, summary);
  };
  const [first, ...others] = scenarios;
  if (first !== undefined && others.length === 0) await simulate(first, take, seed);
  else for (const line of await merged(scenarios, seed)) take(line);
  return { summary, verdict: verdict ?? verdictOf(summary) };
}

/** Merges the lines by time; lines of the same time are in the scenarios' order. */
async function merged(scenarios: readonly Scenario[], seed?: number): Promise<TraceLine[]> {
  const lines: TraceLine[] = [];
  for (const scenario of scenarios) await simulate(scenario, (line) => lines.push(line), seed);
  return lines.sort((a, b) => a.t - b.t);
}
