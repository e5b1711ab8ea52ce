import type { Command } from '@commander-js/extra-typings';

import { diff } from '../../app/diff.js';
import { UsageError } from '../../app/usage-error.js';
import type { Difference } from '../../diff/diff-objects.js';
import { hasErrors } from '../../manifest/diagnostic.js';
import { type LoadedManifest, loadManifest } from '../../manifest/pods/load-manifest.js';
import { formatDiagnostics } from '../../render/format-diagnostic.js';
import { EXIT } from '../shared/exit-code.js';
import { type CommandInput, type Io, tellOfSecrets, write } from '../shared/io.js';
import { choice, colorOption, quietOption, secretsOption } from '../shared/options.js';
import { readSources, refuseOtherFiles } from '../shared/read-sources.js';
import { textScreen } from '../shared/screen.js';

const EXIT_CODES = `
Exit codes, as in kubectl diff:
  0    no pod or workload differs
  1    some differ
  2    usage or manifest error; nothing was compared
`;

/** Adds `kprobe diff` to the program. */
export function diffOptions(program: Command) {
  return program
    .command('diff')
    .description(
      'Show what changing a manifest does to its pods: which containers the kubelet restarts, which fields the API server refuses to change, and which probes act at other times. Nothing is started.',
    )
    .usage('[options] <before> <after>')
    .argument('<before>', 'a file or a folder; - is standard input')
    .argument('<after>', 'the same, changed')
    .addOption(choice('-o, --output <format>', 'text or JSON (text)', ['text', 'json']))
    .addOption(quietOption())
    .addOption(colorOption())
    .addOption(secretsOption())
    .addHelpText('after', EXIT_CODES);
}

type DiffFlags = ReturnType<ReturnType<typeof diffOptions>['opts']>;

/** `kprobe diff`; resolves with the exit code. */
export async function diffCommand(
  { paths: [before = '', after = ''], flags }: CommandInput<DiffFlags>,
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
  await tellOfSecrets(flags, io);
  const differences = diff(old.pods, now.pods, flags.withSecrets);
  await write(io.stdout, await rendered(differences, flags, io));
  return differences.length === 0 ? EXIT.success : EXIT.failure;
}

async function load(path: string, io: Io): Promise<LoadedManifest> {
  const sources = await readSources([path], io);
  const manifest = loadManifest(sources);
  if (hasErrors(manifest.diagnostics)) await refuseOtherFiles(sources);
  return manifest;
}

async function rendered(
  differences: readonly Difference[],
  flags: DiffFlags,
  io: Io,
): Promise<string> {
  if (flags.output === 'json')
    return (await import('../../render/finite-json.js')).diffJson(differences);
  return (await import('../../render/diff-text.js')).diffText(differences, textScreen(flags, io));
}
