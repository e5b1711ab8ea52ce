import { type Command, Option } from 'commander';

import type { Done } from '../shared/done.js';
import type { Io } from '../shared/io.js';
import type { SuggestFlags } from './suggest-command.js';

/** `kprobe suggest run.ndjson`. */
export function addSuggest(program: Command, io: Io, done: Done): void {
  program
    .command('suggest')
    .description(
      `Propose startup, readiness and liveness settings from a recorded run: from how long its starts took, how fast it answered and how it failed, each with its reason, and with what it costs: how late a hang would be seen, and how often it would have been a false alarm. The recording is simulated with them.

The text is a strategic merge patch, and the reasons are its comments. Exit code 3: the recording has no success to go by.`,
    )
    .argument('<trace>', 'a trace; - is standard input')
    .option('--partial', 'use what is whole of a trace that is cut off or damaged')
    .addOption(
      new Option('-o, --output <format>', 'text, the patch alone, or all as JSON').choices([
        'text',
        'yaml',
        'json',
      ]),
    )
    .action(async (path: string, flags: SuggestFlags) => {
      const { suggestCommand } = await import('./suggest-command.js');
      done(await suggestCommand(path, flags, io));
    });
}
