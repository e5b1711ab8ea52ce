import { type Command, Option } from '@commander-js/extra-typings';

import { ENGINE_NAMES } from '../../runtime/container/engine-kind.js';
import {
  choice,
  collect,
  colorOption,
  duration,
  hostAddress,
  kubeletVersion,
  portMapping,
} from '../shared/options.js';
import { OUTPUTS } from '../shared/shown-run.js';

/** Times are in milliseconds. */
export type RunFlags = ReturnType<ReturnType<typeof runOptions>['opts']>;

function runWithTargets(program: Command) {
  return program
    .command('run')
    .description(
      `Run the startup, readiness and liveness probes of a manifest as the kubelet does, and show what it would decide: ready or not, restart, back off, give up.

What stands for the containers is whatever answers at their ports on --host (restarts are then simulated), after -- a command that kprobe starts and restarts for one of them, with --docker containers that run already, or, with --create, containers that kprobe makes from the manifest.`,
    )
    .usage('[options] <manifests...> [-- command...]')
    .argument('[manifests...]', 'files or folders; - is standard input')
    .option('-f, --filename <path>', 'a manifest, as an argument', collect)
    .option('-c, --container <name>', 'the container that the command after -- stands for')
    .option('--host <address>', 'where the containers answer', hostAddress, '127.0.0.1')
    .option('-p, --port <local:container>', 'a container port answers at a local one', portMapping)
    .option(
      '--docker <[container=]name>',
      'a running container of docker (or of --runtime) stands for a container',
      collect,
    )
    .addOption(choice('--runtime <engine>', 'whose containers (docker)', ENGINE_NAMES))
    .addOption(
      choice(
        '--via <way>',
        "probe containers from this machine, or from within the container's network (host)",
        ['host', 'exec'],
      ),
    )
    .addOption(
      choice('--restart <how>', 'whether containers are really restarted (simulated)', [
        'simulated',
        'real',
      ]),
    );
}

function runWithPermissions(program: Command) {
  return runWithTargets(program)
    .option('--create', 'make the pod in docker (or in --runtime), and remove it at the end')
    .option('--network <name>', "with --create: the engine's network (its bridge, or none)")
    .option('--keep', 'with --create: leave the pod when kprobe ends')
    .option('--adopt', 'with --create: go on with the pod that a run has left')
    .addOption(
      new Option('--replace', 'with --create: remove what a run has left of the pod').conflicts(
        'adopt',
      ),
    )
    .option('--allow-host-path', 'with --create: mount folders of this machine')
    .option('--allow-privileged', 'with --create: privileged containers and host namespaces')
    .option('--no-validate', 'take also a manifest that the API server would refuse')
    .option('--allow-local-exec', 'run exec probes and hooks on this machine')
    .option('--allow-host', 'make probes whose manifest names another host');
}

/** Adds `kprobe run` to the program. */
export function runOptions(program: Command) {
  return runWithPermissions(program)
    .addOption(
      choice('--until <condition>', 'end when it holds, or no longer can', [
        'ready',
        'started',
        'restarted',
        'failed',
        'succeeded',
      ]),
    )
    .addOption(
      new Option('--for <duration>', 'end after so long').argParser(duration).conflicts('until'),
    )
    .option('--timeout <duration>', 'end after so long in any case, with exit code 124', duration)
    .option('--watch', 'take up changes of the manifest')
    .option('--status-file <file>', "keep the pod's status in a file")
    .option('--record <file>', 'keep the trace in a file, for kprobe replay and suggest')
    .addOption(
      choice('-o, --output <format>', 'lines, the trace as NDJSON, or the status as YAML', OUTPUTS),
    )
    .option('--plain', 'lines, also on a terminal')
    .addOption(colorOption())
    .option('--no-hints', 'on the terminal, no guesses at what is behind a failure')
    .option('--logs', 'in lines, show what the command writes')
    .option('-v, --verbose', 'in lines, show every attempt')
    .option('--kubelet-age <duration>', 'how long the kubelet has been up (long)', duration)
    .option(
      '--kubelet-version <version>',
      'what it calls itself to the target',
      kubeletVersion,
      '1.36',
    );
}
