import { availableParallelism } from 'node:os';

import { EXIT, exitCodeOfVerdict } from '../../cli/shared/exit-code.js';
import { shownPath } from '../../cli/shared/file-errors.js';
import {
  type CommandInput,
  type Io,
  jsonText,
  orAborted,
  tellOfSecrets,
  write,
} from '../../cli/shared/io.js';
import { readSources } from '../../cli/shared/read-sources.js';
import { checkReports, recordReports } from '../../cli/shared/reports/reports.js';
import { hasErrors } from '../../manifest/diagnostic.js';
import type { ManifestSource } from '../../manifest/documents/source-file.js';
import { formatDiagnostics } from '../../report/format-diagnostic.js';
import type { LineListener } from '../../session/session.js';
import { looksLikeScenario } from '../../sim/load-scenarios.js';
import type { RunFigures } from '../../sim/run-figures.js';
import type { Scenario } from '../../sim/scenario.js';
import { simulate } from '../../sim/simulate.js';
import { simulateScenarios } from '../../sim/simulate-scenarios.js';
import { counted } from '../../text/count.js';
import { formatSeconds } from '../../text/duration.js';
import { UsageError } from '../../usage-error.js';
import { type SimulateFlags, simulatePlan } from './simulate-options.js';
import { createSimulateRenderer, simulatedHeader, writeTraces } from './simulate-output.js';

export { simulateOptions } from './simulate-options.js';

export async function simulateCommand({ paths, flags }: CommandInput<SimulateFlags>, io: Io) {
  if (paths.length === 0 && flags.kube === undefined) {
    throw new UsageError(
      'nothing to simulate: name a manifest or a scenario file, or -, or --kube',
    );
  }
  const other = flags.runs === undefined ? flags.trace && '--trace' : '--runs';
  if (other !== undefined && flags.report !== undefined) {
    throw new UsageError(`${other} cannot be combined with --report`);
  }
  await checkReports(flags);
  const sources = await readSources(paths, io, { ...flags, accepts: looksLikeScenario });
  const { scenarios, diagnostics } = simulatePlan(sources, flags);
  const failed = hasErrors(diagnostics);
  if (diagnostics.length > 0) {
    await write(failed ? io.stderr : io.notes, formatDiagnostics(diagnostics));
  }
  if (failed) return EXIT.usage;
  await checkLength(scenarios, flags, io);
  const work =
    flags.runs === undefined
      ? perform({ scenarios, sources, flags }, io)
      : performRuns(scenarios, { ...flags, runs: flags.runs }, io);
  return orAborted(io.signal, work);
}

/** No run lasts longer, and a trace of a longer one is not read. */
const LONGEST_HOURS = 365 * 24;
/** Hours of all runs together above which a simulation takes long. */
const LONG_HOURS = 10;
/** Seconds above which the user is told. */
const LONG = 20;

/** Refuses to simulate more than a year, and says how long a long simulation takes. */
async function checkLength(scenarios: readonly Scenario[], { runs = 1 }: SimulateFlags, io: Io) {
  const hours = scenarios.map(({ until }) => until / HOUR);
  if (hours.some((each) => each > LONGEST_HOURS)) {
    throw new UsageError(`a simulation lasts at most a year: ${LONGEST_HOURS}h`);
  }
  const total = hours.reduce((sum, each) => sum + each * runs, 0);
  if (total < LONG_HOURS) return;
  const processors = runs === 1 ? 1 : availableParallelism();
  const seconds = (total * (await secondsPerHour(scenarios))) / processors;
  if (seconds < LONG) return;
  const rounded = seconds < 60 ? seconds : 60 * Math.round(seconds / 60);
  await write(io.notes, `kprobe: this takes about ${formatSeconds(Math.round(rounded))}\n`);
}

const HOUR = 3_600_000;
/** Milliseconds of a scenario that are simulated first, and milliseconds that this may take. */
const SAMPLE = HOUR;
const PATIENCE = 1000;

/** Measures how long it takes to simulate an hour of these scenarios, from a sample of each. */
async function secondsPerHour(scenarios: readonly Scenario[]): Promise<number> {
  let [took, simulated] = [0, 0];
  for (const scenario of scenarios) {
    const sample = { ...scenario, until: Math.min(SAMPLE, scenario.until) };
    // The first time, code is compiled.
    if (simulated === 0) await simulate(sample, () => undefined);
    const begin = performance.now();
    await simulate(sample, () => undefined);
    took += performance.now() - begin;
    simulated += sample.until;
    if (took > PATIENCE) break;
  }
  return (took / 1000) * (HOUR / simulated);
}

/** Exit code 0 when every run is good at the end. */
async function performRuns(
  scenarios: readonly Scenario[],
  flags: SimulateFlags & { readonly runs: number },
  io: Io,
): Promise<number> {
  const { runs, seed = 1, output } = flags;
  if (output !== undefined && output !== 'json') {
    throw new UsageError(`--runs can only be combined with -o json`);
  }
  if (flags.trace !== undefined) throw new UsageError('--runs cannot be combined with --trace');
  const { runInWorkers } = await import('../../cli/shared/worker-runs.js');
  const { summarizeRuns } = await import('../../sim/many-runs.js');
  const { runsText } = await import('./simulate-output.js');
  const found = [];
  for (const scenario of scenarios) {
    const { name } = scenario;
    const work = { job: { scenario }, runs, seed, program: 'simulate-worker', name } as const;
    const figures = await runInWorkers<RunFigures>(work, io);
    if (io.signal.aborted) return Number(io.signal.reason);
    const about = { name, seconds: scenario.until / 1000, seed };
    found.push({ ...about, ...summarizeRuns(figures) });
  }
  const text = output === 'json' ? jsonText({ simulations: found }) : runsText(found, flags, io);
  await write(io.stdout, text);
  return found.every(({ good }) => good === 1) ? EXIT.success : EXIT.failure;
}

interface Simulation {
  readonly scenarios: readonly Scenario[];
  readonly sources: readonly ManifestSource[];
  readonly flags: SimulateFlags;
}

async function perform(simulation: Simulation, io: Io): Promise<number> {
  const { scenarios, flags } = simulation;
  await tellOfSecrets(flags, io);
  if (flags.trace !== undefined) {
    await writeTraces(scenarios, flags.trace, flags);
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
  const { summary, verdict } = await simulateScenarios(
    scenarios,
    (line, now) => {
      for (const listener of listeners) listener(line, now);
    },
    seed,
    withSecrets,
  );
  const exitCode = exitCodeOfVerdict(verdict.kind);
  const t = Math.max(...scenarios.map(({ until }) => until)) / 1000;
  const ending = { t, kind: 'goal', verdict, exitCode } as const;
  await renderer.end(ending, summary);
  await writeReports(ending);
  return exitCode;
}
