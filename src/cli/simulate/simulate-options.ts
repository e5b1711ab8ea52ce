import type { Command } from '@commander-js/extra-typings';

import { withBehaviour } from '../shared/behaviour-options.js';
import { withKube } from '../shared/cluster-options.js';
import {
  choice,
  colorOption,
  duration,
  excludeOption,
  filenameOption,
  noValidateOption,
  positiveDuration,
  quietOption,
  reportOption,
  runsOption,
  secretsOption,
  seedOption,
} from '../shared/options.js';

const EXIT_CODES = `
Exit codes:
  0    every pod is ready at the end or has succeeded, and no container was restarted
  1    a container was restarted, whatever its exit code, or a pod failed or is not ready at the end
  3    a probe could not run`;

/** Times are in milliseconds. */
export type SimulateFlags = ReturnType<ReturnType<typeof simulateOptions>['opts']>;

function simulateWithBehaviour(program: Command) {
  const command = program
    .command('simulate')
    .description(
      `See in virtual time what the kubelet does with pods whose containers behave as the options or a scenario file say. Nothing is started or probed.

Times count from each start of a container. They apply to all containers, to one (app=25s), or to one probe (app.readiness=25s). Values may vary: 200ms±50ms (or +-), 100ms..300ms.`,
    )
    .usage('[options] <files...>')
    .argument(
      '[files...]',
      'manifests, folders of them, or scenario files (JSON or YAML, one or a list), which may refer to the pod of a manifest; - for standard input',
    )
    .addOption(filenameOption());
  return withBehaviour(command)
    .option('--delete-at <time>', 'delete the pod at this time', duration)
    .addOption(excludeOption())
    .addOption(noValidateOption());
}

export function simulateOptions(program: Command) {
  return withKube(
    simulateWithRuns(program),
    'simulate the pods of this object of a cluster: deploy/web',
  ).addHelpText('after', EXIT_CODES);
}

function simulateWithRuns(program: Command) {
  return simulateWithBehaviour(program)
    .option('--for <time>', 'how long to simulate (10m)', positiveDuration)
    .addOption(runsOption())
    .addOption(seedOption())
    .addOption(
      choice(
        '-o, --output <format>',
        'a timeline, lines, the trace as NDJSON, or the final status as YAML (timeline)',
        ['timeline', 'lines', 'json', 'yaml'],
      ),
    )
    .addOption(reportOption())
    .addOption(secretsOption())
    .option('--trace <folder>', 'write a trace per pod or scenario to a folder')
    .addOption(quietOption())
    .addOption(colorOption())
    .option('-v, --verbose', 'with lines, show every attempt');
}
