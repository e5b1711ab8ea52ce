import { fails, type LintedFile, lintSources } from '../../app/lint.js';
import { UsageError } from '../../app/usage-error.js';
import type { LintOptions } from '../../lint/lint.js';
import { RULES } from '../../lint/rules.js';
import type { ManifestSource } from '../../manifest/documents/source-file.js';
import { formatDiagnostics } from '../../render/format-diagnostic.js';
import { renderReport } from '../../render/report/formats.js';
import { diagnosticLine, lintReport, ruleList, ruleText } from '../../render/report/lint-report.js';
import { EXIT } from '../shared/exit-code.js';
import { type CommandInput, type Io, orAborted, write } from '../shared/io.js';
import { Progress } from '../shared/progress.js';
import { readManifests } from '../shared/read-sources.js';
import { reportEnd } from '../shared/report-end.js';
import { textScreen } from '../shared/screen.js';
import { type LintFlags, lintSettings, ruleOf } from './lint-settings.js';

export { lintOptions } from './lint-settings.js';

/** `kprobe lint`: resolves with the exit code. */
export async function lintCommand(
  { paths, flags }: CommandInput<LintFlags>,
  io: Io,
): Promise<number> {
  const about = await aboutRules(flags, io);
  if (about !== undefined) {
    await write(io.stdout, about);
    return EXIT.success;
  }
  if (paths.length === 0 && flags.kube === undefined) {
    throw new UsageError('nothing to lint: name files, folders, or -, or --kube');
  }
  if (flags.fix === true && flags.kube !== undefined) {
    throw new UsageError('--fix cannot edit an object of a cluster: --diff shows the changes');
  }
  const { options, failOn } = await lintSettings(flags, io);
  const { sources, problems, skipped } = await readManifests(paths, io, flags);
  await write(io.notes, skipped);
  // What is being written to a file is written to its end.
  const current =
    flags.fix === true
      ? await (await import('./lint-fix.js')).fixFiles(sources, options, io)
      : sources;
  const files = await lintWithProgress(current, options, io);
  const validated = files.map((file) => file.validated);
  const end = await reportEnd(validated, problems, fails(files, failOn), io);
  if (flags.diff === true) {
    const { showFixes } = await import('./lint-fix.js');
    await write(io.stdout, await orAborted(io.signal, showFixes(sources, options)));
    const unreadable = validated.filter((file) => file.unreadable);
    await write(io.stderr, formatDiagnostics(unreadable.flatMap(({ diagnostics }) => diagnostics)));
  } else if (flags.output === 'ndjson') {
    await write(io.stdout, files.flatMap((file) => file.diagnostics.map(diagnosticLine)).join(''));
  } else {
    const screen = await textScreen(flags, io);
    await write(io.stdout, renderReport(lintReport(files, failOn, end), flags.output, screen));
  }
  return end.exitCode;
}

/** Returns the text of --list or --explain. */
async function aboutRules(flags: LintFlags, io: Io): Promise<string | undefined> {
  if (flags.list === true) return ruleList(RULES);
  if (flags.explain === undefined) return undefined;
  return ruleText(ruleOf(flags.explain), await textScreen(flags, io));
}

async function lintWithProgress(
  sources: readonly ManifestSource[],
  options: LintOptions,
  io: Io,
): Promise<readonly LintedFile[]> {
  const progress = new Progress(io.notes, `of ${sources.length} files`);
  const onSource = (index: number): void => progress.show(index, sources[index]?.file);
  const files = await orAborted(io.signal, lintSources(sources, { ...options, onSource }));
  progress.clear();
  return files;
}
