import { closeSync, constants, openSync } from 'node:fs';
import { appendFile, writeFile } from 'node:fs/promises';

import {
  githubReport,
  junitReport,
  markdownReport,
  tapReport,
} from '../../../report/run-formats.js';
import type { RunReport } from '../../../report/run-report.js';
import { incompleteText, OWNER_ONLY, systemErrorText } from '../file-errors.js';
import { type Io, outputStream, reportIncomplete, write } from '../io.js';
import type { ReportTarget } from '../option-values.js';
import type { ReportFlags } from '../options.js';
import { isPipe } from '../read-sources.js';

type Formats = Readonly<
  Record<ReportTarget['kind'], (report: RunReport) => Promise<string> | string>
>;

const FORMATS: Formats = {
  html: async (report) => (await import('../../../report/html/html-report.js')).htmlReport(report),
  junit: junitReport,
  markdown: markdownReport,
  tap: tapReport,
  github: githubReport,
};

/** Writes the reports into files, calls `showEnd`, and prints the others. A report that cannot be written is an error message. */
export async function writeTargets(
  report: RunReport,
  { report: targets = [], withSecrets }: ReportFlags,
  io: Io,
  showEnd?: () => Promise<void>,
): Promise<void> {
  const mode = withSecrets === true ? OWNER_ONLY : 0o666;
  for (const { kind, path } of targets.filter((target) => target.path !== '-')) {
    const text = await FORMATS[kind](report);
    let pipe: number | undefined;
    try {
      // Without a reader, opening a pipe fails here; below it would wait forever.
      if (isPipe(path)) pipe = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
      // The steps of a GitHub job append to one summary.
      if (path === io.env['GITHUB_STEP_SUMMARY']) await appendFile(path, text);
      else await writeFile(path, text, { mode });
    } catch (error) {
      await reportIncomplete(io, incompleteText(path, systemErrorText(error), 'report'));
    } finally {
      if (pipe !== undefined) closeSync(pipe);
    }
  }
  await showEnd?.();
  for (const { kind, path } of targets) {
    if (path === '-') await write(outputStream(io, kind), await FORMATS[kind](report));
  }
}
