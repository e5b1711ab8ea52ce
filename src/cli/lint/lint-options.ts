import { type Command, Option } from '@commander-js/extra-typings';

import { choice, collect } from '../shared/options.js';

export type LintFlags = ReturnType<ReturnType<typeof lintOptions>['opts']>;

/** Adds `kprobe lint` to the program. */
export function lintOptions(program: Command) {
  return program
    .command('lint')
    .description(
      'Say what an experienced colleague would about the probes and the lifecycle of manifests, beside what an API server would refuse: with the reason, the source and, where there is one, the fix. Some of it is found by simulating a kubelet.',
    )
    .argument('[paths...]', 'files, folders of .yaml, .yml and .json files, - for standard input')
    .addOption(
      choice('-o, --output <format>', 'ndjson: a finding a line', [
        'text',
        'json',
        'ndjson',
        'github',
        'sarif',
        'junit',
      ]).default('text'),
    )
    .addOption(
      choice('--fail-on <severity>', 'exit 1 when something is as bad (error)', [
        'error',
        'warning',
        'info',
      ]),
    )
    .option('--fix', 'make the fixes that are safe, in the files')
    .addOption(new Option('--diff', 'show what --fix would change').conflicts('fix'))
    .option('--rule <id>', 'only this rule; may be given several times', collect)
    .option('--record <file>', 'a recorded run: its starts are held against the probes', collect)
    .option('--without <id>', 'not this rule; may be given several times', collect)
    .addOption(
      new Option(
        '--config <file>',
        'the configuration (.kprobe.yaml here or in a folder above)',
      ).conflicts('noConfig'),
    )
    .option('--no-config', 'without a configuration')
    .option('--list', 'list the rules')
    .addHelpText(
      'after',
      '\nExit codes: 0 nothing as bad as --fail-on, 1 something is, 2 something cannot be read',
    );
}
