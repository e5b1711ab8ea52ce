import { type Command, Option } from 'commander';

import { ENGINE_NAMES } from '../../runtime/container/engine-kind.js';
import type { Done } from '../shared/done.js';
import { type Io, write } from '../shared/io.js';
import { collect, duration, hostAddress, kubeletVersion, portMapping } from '../shared/options.js';
import { COLORS, OUTPUTS } from '../show/show-flags.js';
import { type RunFlags, UNTIL } from './run-flags.js';

/** `kprobe run pod.yaml [-- command…]`. */
export function addRun(
  program: Command,
  io: Io,
  done: Done,
  commandLine: readonly string[] | undefined,
): void {
  program
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
    .addOption(new Option('--runtime <engine>', 'whose containers (docker)').choices(ENGINE_NAMES))
    .addOption(
      new Option(
        '--via <way>',
        "probe containers from this machine, or from within the container's network (host)",
      ).choices(['host', 'exec']),
    )
    .addOption(
      new Option('--restart <how>', 'whether containers are really restarted (simulated)').choices([
        'simulated',
        'real',
      ]),
    )
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
    .option('--allow-host', 'make probes whose manifest names another host')
    .addOption(
      new Option('--until <condition>', 'end when it holds, or no longer can').choices(UNTIL),
    )
    .addOption(
      new Option('--for <duration>', 'end after so long').argParser(duration).conflicts('until'),
    )
    .option('--timeout <duration>', 'end after so long in any case, with exit code 124', duration)
    .option('--watch', 'take up changes of the manifest')
    .option('--status-file <file>', "keep the pod's status in a file")
    .option('--record <file>', 'keep the trace in a file, for kprobe replay and suggest')
    .addOption(
      new Option(
        '-o, --output <format>',
        'lines, the trace as NDJSON, or the status as YAML',
      ).choices(OUTPUTS),
    )
    .option('--plain', 'lines, also on a terminal')
    .addOption(new Option('--color <when>', 'colours on the terminal (auto)').choices(COLORS))
    .option('--no-hints', 'on the terminal, no guesses at what is behind a failure')
    .option('--logs', 'in lines, show what the command writes')
    .option('-v, --verbose', 'in lines, show every attempt')
    .option('--kubelet-age <duration>', 'how long the kubelet has been up (long)', duration)
    .option(
      '--kubelet-version <version>',
      'what it calls itself to the target',
      kubeletVersion,
      '1.36',
    )
    .action(async (manifests: string[], flags: RunFlags) => {
      const { runCommand } = await import('./run-command.js');
      const paths = [...manifests, ...(flags.filename ?? [])];
      const ended = await runCommand({ paths, flags, commandLine }, io);
      if (ended.message !== '') await write(io.stderr, ended.message);
      done(ended.exitCode);
    });
}
