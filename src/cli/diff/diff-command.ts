import { diff } from '../../app/diff.js';
import type { Difference } from '../../diff/diff-objects.js';
import { hasErrors } from '../../manifest/diagnostic.js';
import { type LoadedManifest, loadManifest } from '../../manifest/load-manifest.js';
import { formatDiagnostics } from '../../render/format-diagnostic.js';
import { EXIT } from '../shared/exit-code.js';
import { type Io, write } from '../shared/io.js';
import { readSources } from '../shared/read-sources.js';
import { refuseScenarios } from '../shared/refuse-scenarios.js';
import { UsageError } from '../shared/usage-error.js';

export const DIFF_OUTPUTS = ['text', 'json'] as const;

export interface DiffFlags {
  readonly output?: (typeof DIFF_OUTPUTS)[number];
}

/** `kprobe diff`; resolves with the exit code. */
export async function diffCommand(
  before: string,
  after: string,
  flags: DiffFlags,
  io: Io,
): Promise<number> {
  if (before === '-' && after === '-') {
    throw new UsageError('only one of the two can be standard input');
  }
  const [old, now] = [await load(before, io), await load(after, io)];
  const diagnostics = [old, now].filter((each) => hasErrors(each.diagnostics));
  if (diagnostics.length > 0) {
    const all = diagnostics.flatMap((each) => each.diagnostics);
    await write(io.stderr, formatDiagnostics(all));
    return EXIT.usage;
  }
  const differences = diff(old.pods, now.pods);
  await write(io.stdout, await rendered(differences, flags));
  return differences.length === 0 ? EXIT.holds : EXIT.doesNotHold;
}

async function load(path: string, io: Io): Promise<LoadedManifest> {
  const sources = await readSources([path], io);
  const manifest = loadManifest(sources);
  if (hasErrors(manifest.diagnostics)) refuseScenarios(sources);
  return manifest;
}

async function rendered(
  differences: readonly Difference[],
  { output = 'text' }: DiffFlags,
): Promise<string> {
  if (output === 'json') return (await import('../../render/diff/json.js')).diffJson(differences);
  return (await import('../../render/diff/text.js')).diffText(differences);
}
