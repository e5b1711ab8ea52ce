import { type Command, Option } from 'commander';

import type { Done } from '../shared/done.js';
import type { Io } from '../shared/io.js';
import { DIFF_OUTPUTS, type DiffFlags } from './diff-command.js';

const EXIT_CODES = `
Exit codes, as kubectl diff has them:
  0    no pod and no workload differs
  1    some differ
  2    usage or manifest: nothing was compared
`;

/** `kprobe diff`. */
export function addDiff(program: Command, io: Io, done: Done): void {
  program
    .command('diff')
    .description(
      'Say what becomes of pods when a manifest is changed: which containers the kubelet restarts, which fields the API server refuses to change, and which probes act at other times. Nothing is started.',
    )
    .usage('[options] <before> <after>')
    .argument('<before>', 'a file or a folder; - is standard input')
    .argument('<after>', 'the same, changed')
    .addOption(new Option('-o, --output <format>', 'text or JSON (text)').choices(DIFF_OUTPUTS))
    .addHelpText('after', EXIT_CODES)
    .action(async (before: string, after: string, flags: DiffFlags) => {
      const { diffCommand } = await import('./diff-command.js');
      done(await diffCommand(before, after, flags, io));
    });
}
