import { fold } from '../trace/summary/fold.js';
import { EMPTY_SUMMARY, type Summary } from '../trace/summary/summary.js';
import { type Verdict, verdictOf } from '../trace/summary/verdict.js';
import type { TraceLine } from '../trace/trace-line.js';
import { TraceMask } from '../trace/trace-mask.js';
import type { Scenario } from './scenario.js';
import { simulate } from './simulate.js';

export interface SimulatedRun {
  readonly summary: Summary;
  readonly verdict: Verdict;
}

interface SimulationOptions {
  readonly seed?: number | undefined;
  readonly withSecrets?: boolean | undefined;
  readonly onSimulated?: OnSimulated;
}

/** Called with the seconds that are simulated, of all that will be. */
export type OnSimulated = (done: number, total: number) => void;

/** Simulates scenarios concurrently, and reports each line in the order of time, with secrets masked. */
export async function simulateScenarios(
  scenarios: readonly Scenario[],
  onLine: (line: TraceLine, summary: Summary) => void,
  { seed, withSecrets = false, onSimulated }: SimulationOptions = {},
): Promise<SimulatedRun> {
  let summary = EMPTY_SUMMARY;
  let verdict: Verdict | undefined;
  const mask = withSecrets ? undefined : new TraceMask();
  const report = (unmasked: TraceLine): void => {
    const line = mask?.line(unmasked) ?? unmasked;
    if (line.kind === 'action' && line.do === 'delete') verdict ??= verdictOf(summary);
    summary = fold(summary, line);
    onLine(line, summary);
  };
  const lines: TraceLine[] = [];
  const total = scenarios.reduce((sum, { until }) => sum + until, 0) / 1000;
  let before = 0;
  for (const scenario of scenarios) {
    const write = scenarios.length === 1 ? report : (line: TraceLine): unknown => lines.push(line);
    await simulate(scenario, write, seed, (seconds) => {
      onSimulated?.(before + seconds, total);
      return false;
    });
    before += scenario.until / 1000;
  }
  // Lines of the same time are in the scenarios' order.
  for (const line of lines.sort((a, b) => a.t - b.t)) report(line);
  return { summary, verdict: verdict ?? verdictOf(summary) };
}
