import { resolve } from 'node:path';

import type { Diagnostic } from '../../../manifest/diagnostic.js';
import { UsageError } from '../../../usage-error.js';
import { EXIT, exitCodeOfError } from '../exit-code.js';
import { checkWritable, isAbort } from '../file-errors.js';
import type { ReportFlags } from '../options.js';
import type {
  ReportedSession,
  Reporter,
  TraceReportsInput,
  Unstarted,
  WriteReports,
} from './run-reports.js';

/** Collects what `--report` needs; returns a function that writes the reports. */
export async function recordReports(
  session: ReportedSession,
  run: TraceReportsInput,
): Promise<WriteReports> {
  if (run.flags.report === undefined) return (_, showEnd) => showEnd();
  const { collectReports } = await import('./run-reports.js');
  return collectReports(session, run);
}

/** Reports a manifest with errors, from which nothing is started. */
export async function reportRefused(
  reporter: Reporter,
  diagnostics: readonly Diagnostic[],
): Promise<void> {
  const sentence = 'the manifest is not valid, nothing was started';
  await reportUnstarted(reporter, { sentence, diagnostics, exitCode: EXIT.usage });
}

async function reportUnstarted(reporter: Reporter, unstarted: Unstarted): Promise<void> {
  if (reporter.flags.report === undefined) return;
  const { writeUnstarted } = await import('./run-reports.js');
  await writeUnstarted(reporter, unstarted);
}

/** Does the work of a command; an error before the run begins is reported too. */
export async function orReported<T>(reporter: Reporter, work: () => Promise<T>): Promise<T> {
  await checkReports(reporter.flags);
  try {
    return await work();
  } catch (error) {
    await reportUnstarted(reporter, unstartedBy(error, reporter.io.signal));
    throw error;
  }
}

function unstartedBy(error: unknown, { aborted, reason }: AbortSignal): Unstarted {
  if (aborted && isAbort(error)) {
    return { sentence: 'interrupted before it started', exitCode: Number(reason) };
  }
  const sentence = error instanceof Error ? error.message : String(error);
  return { sentence, exitCode: exitCodeOfError(error) };
}

/** Throws a UsageError, before anything starts, for reports that cannot be written. */
export async function checkReports({ report, record, statusFile }: ReportFlags): Promise<void> {
  if (report === undefined) return;
  for (const { path } of report) {
    const other = Object.entries({ '--record': record, '--status-file': statusFile }).find(
      ([, file]) => file !== undefined && resolve(file) === resolve(path),
    );
    if (other !== undefined) {
      throw new UsageError(`--report and ${other[0]} both name ${path}: give each a file`);
    }
    if (path !== '-') await checkWritable(path);
  }
}
