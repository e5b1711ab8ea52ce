import { type Diagnostic, hasErrors } from '../../manifest/diagnostic.js';
import { renderReport } from '../../render/report/formats.js';
import type { Report } from '../../render/report/report.js';
import { refusedMarkdown } from '../../render/run-report/text-reports.js';
import { EXIT } from '../shared/exit-code.js';
import type { Io } from '../shared/io.js';
import type { ReportFlags } from '../shared/options.js';
import { writeTexts } from './write-reports.js';

/** Writes the reports of a manifest that nothing is started from; there is no run that HTML or TAP could show. */
export async function writeRefused(
  command: Report['command'],
  diagnostics: readonly Diagnostic[],
  flags: ReportFlags,
  io: Io,
): Promise<void> {
  const names = [...new Set(diagnostics.map(({ file }) => file))];
  const files = names.map((file) => {
    const own = diagnostics.filter((one) => one.file === file);
    return { file, diagnostics: own, objects: 0, unreadable: hasErrors(own) };
  });
  const common = { files, problems: [], rules: [], summary: [] };
  const report: Report = { command, ...common, exitCode: EXIT.usage };
  await writeTexts(flags, io, (kind) => {
    if (kind === 'github' || kind === 'junit') return renderReport(report, kind);
    return kind === 'markdown' ? refusedMarkdown(`kprobe ${command}`, diagnostics) : undefined;
  });
}
