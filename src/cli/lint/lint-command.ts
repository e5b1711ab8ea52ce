import { fails, type LintedFile, lintSources } from '../../app/lint.js';
import { UsageError } from '../../app/usage-error.js';
import { hasNothing, validationEnd } from '../../app/validate.js';
import { RULES } from '../../lint/rules.js';
import type { Severity } from '../../manifest/diagnostic.js';
import type { ManifestSource } from '../../manifest/documents/source-file.js';
import { formatDiagnostics } from '../../render/format-diagnostic.js';
import { renderReport } from '../../render/report/formats.js';
import { diagnosticLine, lintReport, ruleList } from '../../render/report/lint-report.js';
import { escapeControl } from '../../render/text/escape.js';
import { EXIT } from '../shared/exit-code.js';
import { type Io, orAborted, write } from '../shared/io.js';
import { NOTHING, readManifests } from '../shared/read-sources.js';
import { VERSION } from '../shared/version.js';
import type { LintFlags } from './lint-options.js';
import { lintOptions, type LintSettings } from './lint-settings.js';

/** `kprobe lint`: what there is to say of the manifests; the exit code. */
export async function lintCommand(
  paths: readonly string[],
  flags: LintFlags,
  io: Io,
): Promise<number> {
  if (flags.list === true) {
    await write(io.stdout, ruleList(RULES));
    return EXIT.success;
  }
  if (paths.length === 0) throw new UsageError('nothing to lint: name files, folders, or -');
  const settings = await lintOptions(flags, io);
  const { sources, problems, skipped } = await readManifests(paths, io, flags);
  await write(io.stderr, skipped);
  for (const problem of problems) await write(io.stderr, `kprobe: ${escapeControl(problem)}\n`);
  const acting = act(sources, flags, settings, io);
  // What is being written to a file is written to its end.
  const files = await (flags.fix === true ? acting : orAborted(io.signal, acting));
  if (problems.length > 0) return EXIT.usage;
  const validated = files.map((file) => file.validated);
  if (hasNothing(validated)) await write(io.stderr, NOTHING);
  if (validationEnd(validated) === 'unreadable') return EXIT.usage;
  return fails(files, settings.failOn) ? EXIT.failure : EXIT.success;
}

/** Mends or shows what can be mended, and tells the rest. */
async function act(
  sources: readonly ManifestSource[],
  flags: LintFlags,
  { options, failOn }: LintSettings,
  io: Io,
): Promise<readonly LintedFile[]> {
  if (flags.diff === true) {
    const { showFixes } = await import('./lint-fix.js');
    await write(io.stdout, await showFixes(sources, options));
    const linted = await lintSources(sources, options);
    const unreadable = linted.filter(({ validated }) => validated.unreadable);
    const errors = unreadable.flatMap(({ validated }) => validated.diagnostics);
    await write(io.stderr, formatDiagnostics(errors));
    return linted;
  }
  const current =
    flags.fix === true
      ? await (await import('./lint-fix.js')).fixFiles(sources, options, io)
      : sources;
  const files = await lintSources(current, options);
  await write(io.stdout, rendered(files, flags.output, failOn));
  return files;
}

function rendered(
  files: readonly LintedFile[],
  output: LintFlags['output'],
  failOn: Severity,
): string {
  if (output !== 'ndjson') return renderReport(lintReport(files, VERSION, failOn), output);
  return files.flatMap(({ diagnostics }) => diagnostics.map(diagnosticLine)).join('');
}
