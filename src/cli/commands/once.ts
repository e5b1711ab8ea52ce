import { type Command, Option } from 'commander';

import type { Done } from '../done.js';
import { type Io, write } from '../io.js';
import type { OnceFlags } from '../once-flags.js';
import { collect, duration, kubeletVersion, portMapping } from '../options.js';

/** `kprobe once --http :8080/healthz`, `kprobe once pod.yaml`. */
export function addOnce(
  program: Command,
  io: Io,
  done: Done,
  commandLine: readonly string[] | undefined,
): void {
  program
    .command('once')
    .summary('make one attempt of a probe')
    .description(
      `Make one attempt, of a probe on the command line or of each probe of a manifest, and print
what the kubelet would make of it. A host that is left out is 127.0.0.1, never localhost.`,
    )
    .usage(
      '[options] (--http :PORT/PATH | --tcp :PORT | --grpc :PORT[/SERVICE] | --exec -- command | manifests...)',
    )
    .argument('[manifests...]', 'files or folders; - is standard input')
    .option('--http <[host]:port/path>', 'an HTTP probe')
    .option('--https <[host]:port/path>', 'an HTTPS probe; the certificate is not verified')
    .option('--tcp <[host]:port>', 'a TCP probe')
    .option('--grpc <[host]:port[/service]>', 'a gRPC health check')
    .option('--exec', 'run the command after -- on this machine')
    .option('-H, --header <name:value>', 'a header of an HTTP probe', collect)
    .option(
      '--probe-timeout <duration>',
      'how long an attempt may take (1s, or as in the manifest)',
      duration,
    )
    .option('-f, --filename <path>', 'a manifest, as an argument', collect)
    .option('-c, --container <name>', "only this container's probes")
    .addOption(
      new Option('--probe <kind>', 'only this kind of probe')
        .choices(['startup', 'readiness', 'liveness'])
        .argParser(collect),
    )
    .option('--host <address>', 'the address of the pod', '127.0.0.1')
    .option('-p, --port <local:container>', 'a container port answers at a local one', portMapping)
    .option('--allow-local-exec', 'run exec probes of a manifest on this machine')
    .option('--allow-host', 'make probes whose manifest names another host')
    .option(
      '--kubelet-version <version>',
      'what it calls itself to the target',
      kubeletVersion,
      '1.36',
    )
    .addOption(new Option('-o, --output <format>', 'one JSON object an attempt').choices(['json']))
    .action(async (manifests: string[], flags: OnceFlags) => {
      const { onceCommand } = await import('../once-command.js');
      const paths = [...manifests, ...(flags.filename ?? [])];
      const { exitCode, output, errors } = await onceCommand({ paths, flags, commandLine }, io);
      if (errors !== '') await write(io.stderr, errors);
      await write(io.stdout, output);
      done(exitCode);
    });
}
