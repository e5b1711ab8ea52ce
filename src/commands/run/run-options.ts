import type { Command } from '@commander-js/extra-typings';

import { withKube } from '../../cli/shared/cluster-options.js';
import { collect, duration, wholeNumber } from '../../cli/shared/option-values.js';
import { choice, KUBELET, MANIFESTS, withShared } from '../../cli/shared/options.js';
import type { Relations } from '../../cli/shared/relations.js';
import { CREATE_REQUIRES } from '../../cli/shared/run/pod-flags.js';

/** Times are in milliseconds. */
export type RunFlags = ReturnType<ReturnType<typeof options>['opts']>;

export const relations: Relations<RunFlags> = {
  requires: {
    runtime: ['docker', 'create'],
    via: ['docker', 'create', 'kube'],
    restart: ['docker', '--'],
    keep: ['create'],
    adopt: ['create'],
    allowSharedPort: ['--'],
    ...CREATE_REQUIRES,
  },
};

/** Options that cannot be combined with `--kube`. */
const NOT_WITH_KUBE = [
  ...['docker', 'create', 'runtime', 'restart', 'port'],
  ...['watch', 'runHooks', 'allowLocalExec', 'allowHost'],
];

export function options(program: Command) {
  const command = withOutput(withGoals(withPermissions(withTargets(program))));
  return withKube(command, 'probe this pod of a cluster: pod/web', NOT_WITH_KUBE);
}

function withTargets(program: Command) {
  const command = program
    .command('run')
    .description(
      `Run the startup, readiness and liveness probes of a manifest as the kubelet does, and show what it would decide: ready or not, restart, back off, give up.

What gets probed: by default, whatever listens on --host at the containers' ports (restarts are simulated); after --, commands that kprobe starts and restarts as containers (one command, or NAME=COMMAND for each of several); with --docker, running containers; with --create, containers that kprobe creates from the manifest; with --kube, a pod of a cluster, whose restarts stay the cluster's.`,
    )
    .usage(
      '[options] <manifests...> [-- command...]\n       kprobe run [options] <manifests...> -- NAME=command... [-- ...]\n       kprobe run [options] --kube pod/NAME',
    )
    .argument('[manifests...]', MANIFESTS)
    .optionsGroup('Manifests:');
  const manifests = withShared(command, 'filename', 'exclude', 'noValidate')
    .option('--watch', 'apply changes of the manifest')
    .optionsGroup('Target:');
  const attached = withShared(manifests, 'container', 'start', 'host', 'port').option(
    '--docker <[container=]name>',
    'use a running container of docker (or of --runtime)',
    collect,
  );
  return withShared(attached, 'runtime')
    .addOption(
      choice(
        '--via <way>',
        "probe from this machine, or from inside the container's network (host); with --kube, how attempts reach the pod (port-forward; exec for exec probes); proxy is for HTTP",
        ['host', 'exec', 'port-forward', 'proxy'],
      ),
    )
    .addOption(
      choice(
        '--restart <how>',
        'restart containers of --docker for real (simulated), or only simulate restarts of the command (real)',
        ['simulated', 'real'],
      ),
    );
}

function withPermissions(command: ReturnType<typeof withTargets>) {
  const created = withShared(command.optionsGroup('Created pods:'), 'create', 'network')
    .option('--keep', 'with --create: leave the pod when kprobe ends')
    .option('--adopt', 'with --create: take over the pod that a run has left');
  const permitted = withShared(created, 'replace', 'image', 'volume')
    .option(
      '--strict',
      'fail on what works here alone (a server on 127.0.0.1), and with --create on fields that are not honored',
    )
    .optionsGroup('Permissions:')
    .option('--run-hooks', 'run postStart and preStop hooks also where restarts are simulated');
  const allowed = withShared(permitted, 'allowHostPath', 'allowPrivileged', 'allowLocalExec');
  return withShared(allowed, 'allowHost', 'allowSharedPort', 'withSecrets');
}

function withGoals(command: ReturnType<typeof withPermissions>) {
  const ended = command.optionsGroup('End of the run:');
  return withShared(ended, 'until', 'for', 'timeout').option(
    '--max-restarts <n>',
    'give up when a container needs more restarts (exit code 1)',
    wholeNumber,
  );
}

function withOutput(command: ReturnType<typeof withGoals>) {
  const lines = withShared(command.optionsGroup('Output:'), 'output', 'logs', 'verbose', 'quiet');
  const shown = withShared(lines, 'plain', 'color', 'noHints')
    .option('--try', 'try changes that may help also against servers that kprobe has not started')
    .option(
      '--no-try',
      'make no attempts with changes (what was recorded is still replayed with them)',
    )
    .option('--status-file <file>', "keep the pod's status in a file");
  const recorded = withShared(shown, 'record', 'report', 'metrics')
    .optionsGroup('Kubelet:')
    .option(
      '--kubelet-age <duration>',
      'how long the kubelet has been running; in its first period, workers wait a random time',
      duration,
    );
  return withShared(recorded, ...KUBELET);
}
