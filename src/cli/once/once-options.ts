import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';

import {
  choice,
  collect,
  duration,
  hostAddress,
  kubeletVersion,
  portMapping,
  positiveDuration,
  positiveInteger,
} from '../shared/options.js';

const PROBE_TYPES = ['startup', 'readiness', 'liveness'] as const;

/** Times are in milliseconds. */
export type OnceFlags = ReturnType<ReturnType<typeof onceOptions>['opts']>;

/** Collects what is one of the choices. */
function probeTypes(text: string, before?: readonly string[]): readonly string[] {
  if (PROBE_TYPES.some((type) => type === text)) return collect(text, before);
  throw new InvalidArgumentError(`Allowed choices are ${PROBE_TYPES.join(', ')}.`);
}

function onceWithProbes(program: Command) {
  return program
    .command('once')
    .description(
      'Make one attempt, of probes on the command line or of each probe of a manifest, and print what the kubelet would make of it; or several, with --repeat or --until-success. Probes stand side by side: --http :8080/healthz --tcp :5432, or http://:8080/healthz tcp://:5432. A host that is left out is 127.0.0.1, never localhost.',
    )
    .usage(
      '[options] (--http :PORT/PATH | --tcp :PORT | --grpc :PORT[/SERVICE] | --exec -- command | manifests...)',
    )
    .argument(
      '[manifests...]',
      'files or folders; - is standard input; or http://…, tcp://…, grpc://…',
    )
    .option('--http <[host]:port/path>', 'an HTTP probe', collect)
    .option(
      '--https <[host]:port/path>',
      'an HTTPS probe; the certificate is not verified',
      collect,
    )
    .option('--tcp <[host]:port>', 'a TCP probe', collect)
    .option('--grpc <[host]:port[/service]>', 'a gRPC health check', collect)
    .option('--exec', 'run the command after -- on this machine')
    .option('-H, --header <name:value>', 'a header of an HTTP probe', collect)
    .option('-A, --user-agent <text>', 'the User-Agent of an HTTP probe')
    .option('--service <name>', 'the service that a gRPC probe asks for')
    .option('-k, --insecure', 'as always: no certificate is verified')
    .option(
      '-m, --probe-timeout <duration>',
      'how long an attempt may take (1s, or as in the manifest)',
      positiveDuration,
    );
}

function onceWithManifests(program: Command) {
  return onceWithProbes(program)
    .option('-f, --filename <path>', 'a manifest, as an argument', collect)
    .option('-c, --container <name>', "only this container's probes")
    .addOption(
      choice('--probe <kind>', 'only this kind of probe', PROBE_TYPES).argParser(probeTypes),
    )
    .option('--host <address>', 'the address of the pod', hostAddress, '127.0.0.1')
    .option('-p, --port <local:container>', 'a container port answers at a local one', portMapping)
    .option('--no-validate', 'make also attempts that the API server would never let through')
    .option('--allow-local-exec', 'run exec probes of a manifest on this machine')
    .option('--allow-host', 'make probes whose manifest names another host')
    .option(
      '--kubelet-version <version>',
      'what it calls itself to the target',
      kubeletVersion,
      '1.36',
    );
}

/** Adds `kprobe once` to the program. */
export function onceOptions(program: Command) {
  return onceWithManifests(program)
    .addOption(
      new Option('--repeat <n>', 'make so many attempts')
        .argParser(positiveInteger)
        .conflicts('untilSuccess'),
    )
    .option('--until-success', 'make attempts until the probes succeed')
    .option(
      '--interval <duration>',
      'from the begin of an attempt to the next (1s, or the period in the manifest)',
      positiveDuration,
    )
    .option('--success-threshold <n>', 'successes in a row that count', positiveInteger)
    .option('--failure-threshold <n>', 'failures in a row that count', positiveInteger)
    .option('--timeout <duration>', 'end after so long in any case, with exit code 124', duration)
    .addOption(
      choice('--fail-on <result>', 'the least that counts as a failure', [
        'warning',
        'failure',
      ]).default('failure'),
    )
    .addOption(
      choice('-o, --output <format>', 'JSON, an object an attempt, or a JUnit report', [
        'json',
        'junit',
      ]),
    )
    .option('-v, --verbose', 'show the request, the response and the times')
    .option('-q, --quiet', 'print nothing: the exit code says it');
}
