import { resolve } from 'node:path';

import type { Diagnostic } from '../../../manifest/diagnostic.js';
import { UsageError } from '../../../usage-error.js';
import type { Io } from '../io.js';
import type { ReportFlags } from '../options.js';
import type { CheckedEnding, ReportedSession, TraceReportsInput } from './run-reports.js';

/** Gathers what the reports of `--report` need; returns how to write them. Their code is loaded with the first. */
export async function recordReports(
  session: ReportedSession,
  run: TraceReportsInput,
): Promise<(ending: CheckedEnding) => Promise<void>> {
  if (run.flags.report === undefined) return () => Promise.resolve();
  const { collectReports } = await import('./run-reports.js');
  return collectReports(session, run);
}

/** Reports a manifest that nothing is started from. */
export async function reportRefused(
  command: 'run' | 'ci',
  diagnostics: readonly Diagnostic[],
  flags: ReportFlags,
  io: Io,
): Promise<void> {
  if (flags.report === undefined) return;
  const { writeRefused } = await import('./write-reports.js');
  await writeRefused(command, diagnostics, flags, io);
}

/** Throws a UsageError, before anything starts, for reports that could not be written. */
export async function checkReports({ report, record, statusFile }: ReportFlags): Promise<void> {
  if (report === undefined) return;
  for (const { path } of report) {
    const other = Object.entries({ '--record': record, '--status-file': statusFile }).find(
      ([, file]) => file !== undefined && resolve(file) === resolve(path),
    );
    if (other !== undefined) {
      throw new UsageError(`--report and ${other[0]} both name ${path}: give each a file`);
    }
  }
  const { checkTargets } = await import('./write-reports.js');
  await checkTargets(report);
}
