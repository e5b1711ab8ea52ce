import { setImmediate } from 'node:timers/promises';

import type { Command } from '@commander-js/extra-typings';

import { finishFindings } from '../../cli/shared/findings-end.js';
import { type CommandInput, type Io, noteSecrets, write } from '../../cli/shared/io.js';
import { choice, MANIFESTS, OPTIONS } from '../../cli/shared/options.js';
import { createProgress } from '../../cli/shared/progress.js';
import { readManifests } from '../../cli/shared/read-sources.js';
import { textScreen } from '../../cli/shared/screen.js';
import { validateSource, validationEnd } from '../../manifest/verdict/validate.js';
import { type ValidatedFile, verdictLine } from '../../manifest/verdict/verdict.js';
import { renderReport } from '../../report/findings-formats.js';
import { validateReport } from '../../report/findings-report.js';
import { KnownSecrets, maskObject } from '../../secrets/known-secrets.js';
import { UsageError } from '../../usage-error.js';

export function validateOptions(program: Command) {
  return program
    .command('validate')
    .description(
      'Show how a Kubernetes API server would answer if the objects of manifests were created with strict field validation: Pods and the workloads that create them. No cluster is contacted. Objects of other kinds are counted.',
    )
    .argument('[paths...]', MANIFESTS)
    .addOption(OPTIONS.filename())
    .addOption(
      choice(
        '-o, --output <format>',
        'text shows the lines with errors; ndjson: one answer per line',
        ['text', 'json', 'ndjson', 'github', 'sarif', 'junit'],
      ).default('text'),
    )
    .addOption(
      choice(
        '--as <form>',
        'what is sent: the document itself, or the JSON that kubectl makes of it, where the last of two equal keys wins',
        ['direct', 'kubectl'],
      ).default('direct'),
    )
    .addOption(OPTIONS.exclude())
    .addOption(OPTIONS.withSecrets())
    .addOption(OPTIONS.quiet())
    .addOption(OPTIONS.color())
    .option('--strict-kinds', 'reject objects of kinds that kprobe does not check')
    .addHelpText(
      'after',
      '\nExit codes: 0 all accepted, 1 some rejected, 2 something cannot be read',
    );
}

type ValidateFlags = ReturnType<ReturnType<typeof validateOptions>['opts']>;

/** `kprobe validate`: what the API server would say of every object of every file; the exit code. */
export async function validateCommand({ paths, flags }: CommandInput<ValidateFlags>, io: Io) {
  if (paths.length === 0) throw new UsageError('nothing to validate: name files, folders, or -');
  await noteSecrets(flags, io);
  const { files, problems } = await validateAll(paths, flags, io);
  const end = await finishFindings(files, problems, validationEnd(files) === 'rejected', io);
  if (flags.output !== 'ndjson') {
    const screen = await textScreen(flags, io);
    await write(io.stdout, renderReport(validateReport(files, end), flags.output, screen));
  }
  return end.exitCode;
}

interface Validated {
  readonly files: readonly ValidatedFile[];
  /** Errors of files that could not be read. */
  readonly problems: readonly string[];
}

async function validateAll(
  paths: readonly string[],
  { output, as, strictKinds, exclude, withSecrets }: ValidateFlags,
  io: Io,
): Promise<Validated> {
  const { sources, problems, skipped } = await readManifests(paths, io, { exclude });
  await write(io.notes, skipped);
  const files: ValidatedFile[] = [];
  const progress = createProgress(io.notes, `of ${sources.length} files`, {
    total: sources.length,
  });
  for (const [index, source] of sources.entries()) {
    // Lets a signal through between two files.
    await setImmediate(undefined, { signal: io.signal });
    progress.show(index, source.file);
    const validated = validateSource(source, { as, strictKinds: strictKinds === true });
    if (output === 'ndjson') await write(io.stdout, ndjson(validated, withSecrets === true));
    files.push(validated);
  }
  progress.clear();
  return { files, problems };
}

function ndjson({ file, answers }: ValidatedFile, withSecrets: boolean): string {
  const secrets = new KnownSecrets();
  const shown = withSecrets ? answers : answers.map((each) => maskObject(each, secrets));
  return shown.map((verdict) => `${verdictLine(file, verdict)}\n`).join('');
}
