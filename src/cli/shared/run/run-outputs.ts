import { resolve } from 'node:path';

import { Ticker } from '../../../clock/ticker.js';
import type { ManifestSource } from '../../../manifest/documents/source-file.js';
import type { RunReport } from '../../../report/run-report.js';
import type { RunEnd, RunSession } from '../../../session/wait-for-goal.js';
import { UsageError } from '../../../usage-error.js';
import { exitCodeOfEnd } from '../exit-code.js';
import { exitCodeOfOutputs, type Io, noteSecrets, reportIncomplete } from '../io.js';
import type { Metrics } from '../metrics.js';
import type { FlagsAmong, ReportFlags } from '../options.js';
import { recordSession, TraceFile } from '../output/trace-file.js';
import type { RunRendererInput, ShowFlags } from '../output-style.js';
import { recordReports } from '../reports/reports.js';
import type { Checked } from '../reports/run-reports.js';
import { createRunRenderer } from '../run-renderer.js';

export type OutputFlags = ShowFlags & ReportFlags & FlagsAmong<'metrics'>;

/** The files and servers that a run writes to, beside its display. */
export interface RunFiles {
  readonly metrics: Metrics | undefined;
  readonly traceFile: TraceFile | undefined;
}

/** Opens what a run writes, before anything starts; throws a UsageError. */
export async function openFiles(flags: OutputFlags): Promise<RunFiles> {
  const { statusFile, record, metrics } = flags;
  if (statusFile !== undefined && record !== undefined && resolve(statusFile) === resolve(record)) {
    throw new UsageError(`--status-file and --record both name ${record}: give each a file`);
  }
  return {
    metrics:
      metrics === undefined
        ? undefined
        : await (await import('../metrics.js')).Metrics.open(metrics),
    traceFile: record === undefined ? undefined : await TraceFile.open(record),
  };
}

/** Waits for work before the run; discards the trace file when it fails. */
export async function orDiscarded<T>({ traceFile }: RunFiles, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    traceFile?.discard();
    throw error;
  }
}

/** An end to which a command may add what it checked. */
export type CheckedEnd = RunEnd & Checked;

interface RunOutputsInput extends Pick<
  RunRendererInput,
  'paths' | 'io' | 'clock' | 'header' | 'actions'
> {
  readonly command: RunReport['command'];
  readonly flags: OutputFlags;
  /** Prints the reports, where `io` does not. */
  readonly reportIo?: Io | undefined;
  readonly files: RunFiles;
  readonly session: RunSession;
  readonly sources?: readonly ManifestSource[];
  /** Starts the session and resolves with its end; `quit` settles when the user quits. */
  readonly run: (quit: Promise<void> | undefined) => Promise<CheckedEnd>;
}

const SECOND = 1000;

/** Runs a session with its display, recording, metrics and reports; resolves with the exit code. */
export async function runWithOutputs(input: RunOutputsInput): Promise<number> {
  const { command, paths, flags, io, files, clock, session, header, sources = [] } = input;
  await noteSecrets(flags, io);
  recordSession(session, header, files.traceFile);
  const reported = { command, flags, header, sources, io: input.reportIo ?? io };
  const writeReports = await recordReports(session, reported);
  files.metrics?.follow(session);
  const shown = { run: session, actions: input.actions };
  const renderer = await createRunRenderer({ flags, paths, io, clock, header, ...shown });
  session.onLine((line, summary) => renderer.line(line, summary));
  const ticker = new Ticker(clock, SECOND, () => {
    ticker.take();
    renderer.pass?.(session.now);
  });
  const end = await input.run(renderer.quit).finally(() => ticker.stop());
  const ending = { ...end, exitCode: exitCodeOfEnd(end, io.signal) };
  const endingNow = () => ({ ...ending, exitCode: exitCodeOfOutputs(ending.exitCode, io) });
  const showEnd = async (): Promise<void> => {
    const problem = files.traceFile?.end(endingNow());
    if (problem !== undefined) await reportIncomplete(io, problem);
    await renderer.end(endingNow(), session.summary);
  };
  // The terminal UI makes room for the progress of the reports.
  const isScreen = renderer.quit !== undefined;
  if (isScreen) await showEnd();
  await writeReports(ending, isScreen ? () => Promise.resolve() : showEnd);
  files.metrics?.close();
  return ending.exitCode;
}
