import type { Command } from 'commander';

import type { Done } from '../done.js';
import { EXIT } from '../exit-code.js';
import { type Io, write } from '../io.js';

interface SimulateOptions {
  readonly trace: string;
}

/** `kprobe simulate SCENARIOS --trace DIR`. */
export function addSimulate(program: Command, io: Io, done: Done): void {
  program
    .command('simulate')
    .description(
      'Run scenarios, which are pods with a script of what their containers do, in virtual time, and write what the kubelet does to DIR/<name>.ndjson.',
    )
    .argument(
      '<scenarios...>',
      'files with one scenario or a list, JSON or YAML; - is standard input',
    )
    .requiredOption('--trace <dir>', 'the folder for the traces')
    .action(async (paths: string[], options: SimulateOptions) => {
      const { simulateFiles } = await import('../simulate-files.js');
      const { count, errors } = await simulateFiles(paths, options.trace, io);
      if (errors !== '') {
        await write(io.stderr, errors);
        return done(EXIT.usage);
      }
      await write(
        io.stdout,
        `${count} ${count === 1 ? 'scenario' : 'scenarios'} simulated into ${options.trace}\n`,
      );
      done(EXIT.holds);
    });
}
