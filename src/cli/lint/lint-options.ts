import { type Command, Option } from '@commander-js/extra-typings';

import { withKube } from '../shared/cluster-options.js';
import {
  choice,
  collect,
  colorOption,
  excludeOption,
  filenameOption,
  noValidateOption,
  quietOption,
} from '../shared/options.js';

export type LintFlags = ReturnType<ReturnType<typeof lintOptions>['opts']>;

const EXIT_CODES =
  '\nExit codes: 0 nothing at --fail-on or worse, 1 something is, 2 something cannot be read';

function lintWithOutputs(program: Command) {
  return program
    .command('lint')
    .description(
      'Report risky settings of probes and of the pod lifecycle, and what an API server would reject: each with the reason, the source and, where there is one, the fix. Some rules simulate a kubelet.',
    )
    .argument('[paths...]', 'files, folders of .yaml, .yml and .json files, - for standard input')
    .addOption(filenameOption())
    .addOption(
      choice('-o, --output <format>', 'ndjson: one finding per line', [
        'text',
        'json',
        'ndjson',
        'github',
        'sarif',
        'junit',
      ]).default('text'),
    );
}

/** Adds `kprobe lint` to the program. */
export function lintOptions(program: Command) {
  return withKube(lintWithRules(program), 'check this object of a cluster: deploy/web').addHelpText(
    'after',
    EXIT_CODES,
  );
}

function lintWithRules(program: Command) {
  return lintWithOutputs(program)
    .addOption(excludeOption())
    .addOption(noValidateOption())
    .addOption(
      choice('--fail-on <severity>', 'exit 1 on this severity or worse (error)', [
        'error',
        'warning',
        'info',
      ]),
    )
    .addOption(quietOption())
    .addOption(colorOption())
    .option('--fix', 'make the safe fixes in the files')
    .addOption(new Option('--diff', 'show what --fix would change').conflicts('fix'))
    .option('--rule <id>', 'only this rule; can be repeated', collect)
    .option('--record <file>', 'compare the probes with the starts of a recorded run', collect)
    .option('--without <id>', 'skip this rule; can be repeated', collect)
    .addOption(
      new Option(
        '--config <file>',
        'configuration file (.kprobe.yaml here or in a folder above)',
      ).conflicts('noConfig'),
    )
    .option('--no-config', 'ignore the configuration file')
    .option('--list', 'list the rules');
}
