import { existsSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import { EXIT } from '../../cli/shared/exit-code.js';
import { orUsageError } from '../../cli/shared/file-errors.js';
import type { Io } from '../../cli/shared/io.js';
import { withLocks } from '../../cli/shared/output/output-locks.js';
import { TraceFile, traceHeader } from '../../cli/shared/output/trace-file.js';
import { outputTheme, textStyle } from '../../cli/shared/output-style.js';
import { loadRenderer } from '../../cli/shared/run-renderer.js';
import { DEFAULT_KUBELET } from '../../kubelet/release.js';
import type { Renderer } from '../../report/renderer.js';
import { runsLines } from '../../report/runs-text.js';
import type { RunsSummary } from '../../sim/many-runs.js';
import type { Scenario } from '../../sim/scenario.js';
import { simulate } from '../../sim/simulate.js';
import { paintLines } from '../../text/paint.js';
import { TraceMask } from '../../trace/trace-mask.js';
import { type Ending, headerFacts, type TraceHeader } from '../../trace/trace-record.js';
import type { SimulateFlags } from './simulate-options.js';

export function runsText(
  found: readonly (RunsSummary & { readonly name: string; readonly seconds: number })[],
  flags: SimulateFlags,
  io: Io,
): string {
  const lines = found.flatMap((summary, index) => [
    ...(index === 0 ? [] : [[]]),
    ...runsLines(summary.name.replace('_', '/'), summary.seconds, summary),
  ]);
  return paintLines(lines, outputTheme(flags, io));
}

/** Chooses the renderer of a simulation: the one asked for, or the timeline. */
export async function createSimulateRenderer(
  scenarios: readonly Scenario[],
  flags: SimulateFlags,
  io: Io,
): Promise<Renderer> {
  const print = (text: string): void => void io.stdout.write(text);
  const { output = 'timeline' } = flags;
  if (output !== 'timeline') {
    const header = simulatedHeader(scenarios);
    return loadRenderer(output, print, { flags: { verbose: flags.verbose }, header, io });
  }
  const seconds = Math.max(...scenarios.map(({ until }) => until)) / 1000;
  const { Timeline } = await import('./timeline.js');
  const theme = { ...outputTheme(flags, io), style: await textStyle(flags, io) };
  return new Timeline(print, { seconds, ...theme });
}

export function simulatedHeader(scenarios: readonly Scenario[]): TraceHeader {
  const kubelet = scenarios[0]?.kubelet ?? DEFAULT_KUBELET;
  return traceHeader({ ...headerFacts(kubelet), target: 'simulated' }, scenarios);
}

/** Simulates scenarios, each into a trace of its name; returns the problems of the traces that are incomplete. */
export async function writeTraces(
  scenarios: readonly Scenario[],
  folder: string,
  { seed, withSecrets = false }: { readonly seed?: number; readonly withSecrets?: boolean },
): Promise<readonly string[]> {
  // A folder whose lock is refused is not made; the lock is beside it.
  await orUsageError(folder, () => makeFolder(dirname(resolve(folder))));
  return withLocks([folder], async () => {
    await orUsageError(folder, () => makeFolder(folder));
    const problems: (string | never[])[] = [];
    for (const scenario of scenarios) {
      const file = await TraceFile.open(join(folder, `${scenario.name}.ndjson`));
      const mask = withSecrets ? undefined : new TraceMask();
      file.begin(simulatedHeader([scenario]));
      await simulate(scenario, (line) => file.line(mask?.line(line) ?? line), seed);
      problems.push(file.end(endOf(scenario)) ?? []);
    }
    return problems.flat();
  });
}

/** Creates a folder and its parents; Node's recursive mkdir never returns where folders are impossible, as in /proc. */
async function makeFolder(path: string): Promise<void> {
  if (existsSync(path)) {
    // Throws EEXIST, unless it is a folder.
    if (!statSync(path).isDirectory()) await mkdir(path);
    return;
  }
  if (dirname(path) !== path) await makeFolder(dirname(path));
  await mkdir(path);
}

function endOf({ until }: Scenario): Ending {
  const t = until / 1000;
  const verdict = { kind: 'holds', sentence: `${t} s were simulated` } as const;
  return { t, kind: 'goal', verdict, exitCode: EXIT.success };
}
