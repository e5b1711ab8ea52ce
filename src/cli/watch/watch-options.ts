import { type Command, Option } from '@commander-js/extra-typings';

import { withClusterOptions } from '../shared/cluster-options.js';
import { choice, colorOption, duration, quietOption, secretsOption } from '../shared/options.js';
import { OUTPUTS } from '../shared/shown-run.js';

/** Times are in milliseconds. */
export type WatchFlags = ReturnType<ReturnType<typeof watchOptions>['opts']>;

/** Adds `kprobe watch` to the program. */
export function watchOptions(program: Command) {
  const command = program
    .command('watch')
    .description(
      `Watch pods of a cluster: what their kubelets do to them and why, what comes next and when, and what blocks a rollout. kprobe only reads: pods, their events, and the workload.

A word alone names a pod; without one, kprobe watches all pods of the namespace. Other resources: deployment, statefulset, daemonset, replicaset, job.`,
    )
    .usage('[options] [pod/NAME | deploy/NAME | NAME]')
    .argument('[resource...]', 'pod/web, deploy/web, or the name of a pod')
    .option('-l, --selector <labels>', 'watch the pods with these labels, such as app=web')
    .option('--field-selector <fields>', 'watch the pods with these fields')
    .option('-A, --all-namespaces', 'watch pods of all namespaces')
    .addOption(
      choice(
        '--until <condition>',
        'stop when this condition is met, or no longer can be; a workload is ready when it is rolled out',
        ['ready', 'started', 'restarted', 'failed', 'succeeded'],
      ),
    )
    .addOption(
      new Option('--for <duration>', 'stop after this long').argParser(duration).conflicts('until'),
    )
    .option('--timeout <duration>', 'give up after this long (exit code 124)', duration)
    .option('--record <file>', 'write the trace to a file, for kprobe replay')
    .addOption(
      choice('-o, --output <format>', 'lines, the trace as NDJSON, or the status as YAML', OUTPUTS),
    )
    .addOption(secretsOption())
    .addOption(quietOption())
    .option('--plain', 'print lines, even on a terminal')
    .addOption(colorOption())
    .option('--no-hints', 'no hints about likely causes')
    .option('-v, --verbose', 'with lines, show every attempt');
  return withClusterOptions(command);
}
