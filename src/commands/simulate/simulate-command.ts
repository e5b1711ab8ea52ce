import { endingBy, EXIT } from '../../cli/shared/exit-code.js';
import { shownPath } from '../../cli/shared/file-errors.js';
import {
  type CommandInput,
  exitCodeOfOutputs,
  type Io,
  jsonOutput,
  noteSecrets,
  orAborted,
  reportIncomplete,
  write,
} from '../../cli/shared/io.js';
import { kubeletFor } from '../../cli/shared/kubelet/kubelet-flags.js';
import { simulationProgress } from '../../cli/shared/progress.js';
import { readSources } from '../../cli/shared/read-sources.js';
import { checkReports, recordReports } from '../../cli/shared/reports/reports.js';
import { hasErrors } from '../../manifest/diagnostic.js';
import type { ManifestSource } from '../../manifest/documents/source-file.js';
import { formatDiagnostics } from '../../report/format-diagnostic.js';
import type { LineListener } from '../../session/session.js';
import { looksLikeScenario } from '../../sim/load-scenarios.js';
import type { PodFigures } from '../../sim/run-figures.js';
import type { Scenario } from '../../sim/scenario.js';
import { simulateScenarios } from '../../sim/simulate-scenarios.js';
import { counted } from '../../text/count.js';
import { LONGEST_RUN } from '../../trace/trace-line.js';
import { UsageError } from '../../usage-error.js';
import { type SimulateFlags, simulatePlan } from './simulate-options.js';
import { createSimulateRenderer, simulatedHeader, writeTraces } from './simulate-output.js';

export { options, relations } from './simulate-options.js';

export async function command({ paths, flags }: CommandInput<SimulateFlags>, io: Io) {
  if (paths.length === 0 && flags.kube === undefined) {
    const hint = 'name a manifest or a scenario file, or -, or --kube';
    throw new UsageError(`nothing to simulate: ${hint}`);
  }
  await checkReports(flags);
  const sources = await readSources(paths, io, { ...flags, accepts: looksLikeScenario });
  const kubelet = await kubeletFor(sources, flags, io);
  const { scenarios, diagnostics } = simulatePlan(sources, flags, kubelet);
  const failed = hasErrors(diagnostics);
  await write(failed ? io.stderr : io.notes, formatDiagnostics(diagnostics));
  if (failed) return EXIT.usage;
  if (scenarios.some(({ until }) => until > 1000 * LONGEST_RUN)) {
    throw new UsageError('a simulation lasts at most a year: 8760h');
  }
  if (io.timeLimit !== undefined) {
    const { refuseLong } = await import('./time-limit.js');
    await refuseLong(scenarios, flags, io.timeLimit);
  }
  const work =
    flags.runs === undefined
      ? simulateOnce({ scenarios, sources, flags }, io)
      : simulateRuns(scenarios, { ...flags, runs: flags.runs }, io);
  return orAborted(io.signal, work);
}

async function simulateRuns(
  scenarios: readonly Scenario[],
  flags: SimulateFlags & { readonly runs: number },
  io: Io,
): Promise<number> {
  const { runs, seed = 1, output } = flags;
  const { runInWorkers } = await import('../../cli/shared/worker-runs.js');
  const { summarizeRuns } = await import('../../sim/many-runs.js');
  const { runsText } = await import('./simulate-output.js');
  const found = [];
  for (const scenario of scenarios) {
    const { name } = scenario;
    const work = { job: { scenario }, runs, seed, program: 'simulate-worker', name } as const;
    const figures = await runInWorkers<PodFigures>(work, io);
    if (io.signal.aborted) return Number(io.signal.reason);
    const facts = { name, seconds: scenario.until / 1000, seed };
    found.push({ ...facts, ...summarizeRuns(figures) });
  }
  const text = output === 'json' ? jsonOutput({ simulations: found }) : runsText(found, flags, io);
  await write(io.stdout, text);
  return found.every(({ good }) => good === 1) ? EXIT.success : EXIT.failure;
}

interface Simulation {
  readonly scenarios: readonly Scenario[];
  readonly sources: readonly ManifestSource[];
  readonly flags: SimulateFlags;
}

async function simulateOnce(simulation: Simulation, io: Io): Promise<number> {
  const { scenarios, flags } = simulation;
  await noteSecrets(flags, io);
  if (flags.trace !== undefined) {
    const problems = await writeTraces(scenarios, flags.trace, flags);
    for (const problem of problems) await reportIncomplete(io, problem);
    const count = counted(scenarios.length, 'scenario');
    if (flags.output === undefined) {
      await write(io.stdout, `${count} simulated into ${shownPath(flags.trace)}\n`);
      return EXIT.success;
    }
  }
  const exitCode = await show(simulation, io);
  // Waits until everything written so far is out.
  await write(io.stdout, '');
  return exitCode;
}

async function show({ scenarios, sources, flags }: Simulation, io: Io): Promise<number> {
  const { seed, withSecrets } = flags;
  const renderer = await createSimulateRenderer(scenarios, flags, io);
  const listeners: LineListener[] = [(line, now) => renderer.line(line, now)];
  const writeReports = await recordReports(
    { onLine: (listener) => listeners.push(listener) },
    { command: 'kprobe simulate', flags, header: simulatedHeader(scenarios), sources, io },
  );
  const take: LineListener = (line, now) => {
    for (const listener of listeners) listener(line, now);
  };
  const { summary, verdict } = await simulationProgress(
    io,
    (onSimulated) => simulateScenarios(scenarios, take, { seed, withSecrets, onSimulated }),
    false,
  );
  const length = Math.max(...scenarios.map(({ until }) => until)) / 1000;
  const ending = endingBy(verdict, 'goal', length);
  const { exitCode } = ending;
  await writeReports(ending, async () => {
    await renderer.end({ ...ending, exitCode: exitCodeOfOutputs(exitCode, io) }, summary);
  });
  return exitCode;
}
