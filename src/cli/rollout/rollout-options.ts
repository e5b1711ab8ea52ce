import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';

import { withBehaviour } from '../shared/behaviour-options.js';
import {
  choice,
  colorOption,
  duration,
  excludeOption,
  filenameOption,
  noValidateOption,
  positiveDuration,
  positiveInteger,
  quietOption,
  reportOption,
  runsOption,
  seedOption,
  wholeNumber,
} from '../shared/options.js';
import { withTraffic } from './traffic-options.js';

const EXIT_CODES = `
Not simulated: autoscalers, quotas, custom controllers, affinity and the room on nodes (a pod goes to the node with the
fewest pods), pulls of images, volumes. kprobe names what the files have of these, and what it assumes instead.

Exit codes:
  0    rolled out, and no request failed
  1    not rolled out, or a request failed; with --drain also: a node is not empty, or replicas are missing at the end
  2    usage or manifest error`;

/** Times are in milliseconds. */
export type RolloutFlags = ReturnType<ReturnType<typeof rolloutOptions>['opts']>;

interface Drain {
  readonly node: string;
  readonly at: number;
}

/** `node-2@60s`, any number of times. */
function drains(text: string, before: readonly Drain[] = []): readonly Drain[] {
  const [node = '', time = '', more] = text.split('@');
  if (!/^node-[1-9]\d*$/.test(node) || time === '' || more !== undefined) {
    throw new InvalidArgumentError('Write a node and a time: node-2@60s.');
  }
  return [...before, { node, at: duration(time) }];
}

/** Adds `kprobe rollout` to the program. */
export function rolloutOptions(program: Command) {
  return withTraffic(withBehaviour(command(program)))
    .option('--for <time>', 'how long to simulate at most (10m)', positiveDuration)
    .option(
      '--compare <file>',
      'show the rollout of this manifest beside that of the other: --compare a.yaml b.yaml',
    )
    .addOption(runsOption())
    .addOption(seedOption())
    .addOption(excludeOption())
    .addOption(noValidateOption())
    .addOption(
      choice('-o, --output <format>', 'text, every change as NDJSON, or a chart as SVG (text)', [
        'text',
        'json',
        'svg',
      ]),
    )
    .addOption(
      new Option('--tui', 'play the rollout in the terminal UI, then print the answer').conflicts([
        'output',
        'runs',
        'compare',
      ]),
    )
    .addOption(reportOption().conflicts(['runs', 'compare']))
    .addOption(quietOption())
    .addOption(colorOption())
    .addHelpText('after', EXIT_CODES);
}

function command(program: Command) {
  return program
    .command('rollout')
    .description(
      `See in virtual time how a Deployment, StatefulSet or DaemonSet rolls out: the controllers of Kubernetes v1.36 with a simulated kubelet for each pod. Nothing is started.

Old pods run and are available when the rollout begins. Without --to, the same manifest is rolled out again, as by kubectl rollout restart. The options for containers describe the new pods, those for latency and stopping the old ones too; times count from each start of a container.`,
    )
    .usage('[options] <manifests...>')
    .argument(
      '[manifests...]',
      'files and folders with the workload, its Service and its PodDisruptionBudget; - for standard input',
    )
    .addOption(filenameOption())
    .option('--to <file>', 'the manifest of the new version')
    .option('--workload <name>', 'roll out this workload of several')
    .option(
      '--replicas <number>',
      'number of replicas, instead of that of the manifest',
      wholeNumber,
    )
    .option('--nodes <number>', 'number of nodes (3)', positiveInteger)
    .option(
      '--drain <node@time>',
      'drain a node at this time: node-2@60s; without --to or --restart nothing is rolled out',
      drains,
    )
    .option('--restart', 'with --drain, --outage, --starve or --slow: also roll out');
}
