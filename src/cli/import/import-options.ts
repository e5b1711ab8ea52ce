import { type Command, Option } from 'commander';

import { ENGINE_NAMES } from '../../runtime/container/engine-kind.js';
import type { Done } from '../shared/done.js';
import { type Io, write } from '../shared/io.js';
import { collect } from '../shared/options.js';
import type { ImportFlags } from './import-command.js';

/** `kprobe import --docker web`, `kprobe import compose.yaml`. */
export function addImport(program: Command, io: Io, done: Done): void {
  program
    .command('import')
    .description(
      'Write a pod manifest with the probes that correspond to the HEALTHCHECK of containers or of the services of a compose file. What cannot be said in probes stands in comments.',
    )
    .argument('[compose-files...]', 'compose files; - is standard input')
    .option('--docker <name>', 'a container of docker (or of --runtime)', collect)
    .addOption(
      new Option('--runtime <engine>', 'whose containers').choices(ENGINE_NAMES).default('docker'),
    )
    .action(async (paths: string[], flags: ImportFlags) => {
      const { importCommand } = await import('./import-command.js');
      const { exitCode, output, errors } = await importCommand(paths, flags, io);
      if (errors !== '') await write(io.stderr, errors);
      await write(io.stdout, output);
      done(exitCode);
    });
}
