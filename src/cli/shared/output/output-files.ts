import type { ReportFlags } from '../options.js';

interface OutputFlags extends Omit<ReportFlags, 'record'> {
  /** A list has recordings that the command reads, so none of them is replaced. */
  readonly record?: string | readonly string[] | undefined;
  readonly baseline?: string | undefined;
  readonly writeBaseline?: true | undefined;
}

/** Returns the files that a command replaces; the steps of a GitHub job append to one summary. */
export function outputFiles(
  { report = [], record, statusFile, baseline, writeBaseline }: OutputFlags,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const reports = report.map(({ path }) => path);
  return [
    ...reports.filter((path) => path !== '-' && path !== env['GITHUB_STEP_SUMMARY']),
    ...[record, statusFile, writeBaseline && baseline].filter((path) => typeof path === 'string'),
  ];
}
