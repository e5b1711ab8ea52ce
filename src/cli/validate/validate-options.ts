import { type Command, Option } from 'commander';

import type { Done } from '../shared/done.js';
import type { Io } from '../shared/io.js';
import type { ValidateFlags } from './validate-command.js';

/** `kprobe validate pod.yaml`, `kprobe validate manifests/ -o sarif`. */
export function addValidate(program: Command, io: Io, done: Done): void {
  program
    .command('validate')
    .description(
      'Say what a Kubernetes API server would answer if the objects of manifests were created with strict field validation: Pods and the workloads that make them. No cluster is asked. Objects of other kinds are counted.',
    )
    .argument('[paths...]', 'files, folders of .yaml, .yml and .json files, - for standard input')
    .addOption(
      new Option(
        '-o, --output <format>',
        'text with the lines that errors stand in; ndjson: an answer a line',
      )
        .choices(['text', 'json', 'ndjson', 'github', 'sarif', 'junit'])
        .default('text'),
    )
    .addOption(
      new Option(
        '--as <form>',
        'what is sent: the document itself, or the JSON that kubectl makes of it, where the last of two equal keys holds',
      )
        .choices(['direct', 'kubectl'])
        .default('direct'),
    )
    .option('--strict-kinds', 'refuse objects of kinds that are not looked into')
    .addHelpText(
      'after',
      '\nExit codes: 0 all accepted, 1 some refused, 2 something cannot be read',
    )
    .action(async (paths: string[], flags: ValidateFlags) => {
      const { validateCommand } = await import('./validate-command.js');
      done(await validateCommand(paths, flags, io));
    });
}
