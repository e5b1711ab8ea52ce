import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';

import { viaOption, withKube } from '../../cli/shared/cluster-options.js';
import { collect, positiveDuration, positiveInteger } from '../../cli/shared/option-values.js';
import { choice, KUBELET, withShared } from '../../cli/shared/options.js';
import type { Relations } from '../../cli/shared/relations.js';
import { PROBE_TYPES } from '../../kubelet/prober/probe-of.js';

/** Times are in milliseconds. */
export type OnceFlags = ReturnType<ReturnType<typeof options>['opts']>;

function probeTypes(text: string, before?: readonly string[]): readonly string[] {
  if (PROBE_TYPES.some((type) => type === text)) return collect(text, before);
  throw new InvalidArgumentError(`Allowed choices are ${PROBE_TYPES.join(', ')}.`);
}

function onceWithProbes(program: Command) {
  return program
    .command('once')
    .description(
      'Make one attempt of each probe, given as options or in a manifest, and print how the kubelet would judge it; with --repeat, --until-success or --until-failure, make several. Probes can be combined: --http :8080/healthz --tcp :5432, or http://:8080/healthz tcp://:5432. The default host is 127.0.0.1, never localhost.',
    )
    .usage(
      '[options] (--http :PORT/PATH | --tcp :PORT | --grpc :PORT)\n       kprobe once [options] --exec -- command\n       kprobe once [options] (manifests... | --kube pod/NAME)',
    )
    .argument(
      '[manifests...]',
      'files or folders; - is standard input; or http://…, tcp://…, grpc://…',
    )
    .option('--http <[host]:port/path>', 'an HTTP probe', collect)
    .option(
      '--https <[host]:port/path>',
      'an HTTPS probe; its certificate is not verified',
      collect,
    )
    .option('--tcp <[host]:port>', 'a TCP probe', collect)
    .option('--grpc <[host]:port[/service]>', 'a gRPC health check', collect)
    .option('--exec', 'run the command after -- on this machine')
    .option('-H, --header <name:value>', 'a header of an HTTP probe', collect)
    .option('-A, --user-agent <text>', 'the User-Agent of an HTTP probe')
    .option(
      '--http2-prior-knowledge',
      'HTTP/2 without TLS for HTTP probes, as with protocol: HTTP2',
    )
    .option('--tls', 'TLS for gRPC probes, as with mode: TLS; the certificate is not verified')
    .option('--service <name>', 'the service that a gRPC probe checks')
    .option('-k, --insecure', 'no effect: certificates are never verified')
    .option(
      '-m, --probe-timeout <duration>',
      'timeout of an attempt (1s, or as in the manifest)',
      positiveDuration,
    );
}

function onceWithManifests(program: Command) {
  const named = withShared(onceWithProbes(program), 'filename', 'onlyContainer').addOption(
    choice('--probe <kind>', 'only this kind of probe', PROBE_TYPES).argParser(probeTypes),
  );
  const target = withShared(named, 'host', 'port', 'noValidate', 'allowLocalExec', 'allowHost');
  return withShared(target, ...KUBELET);
}

export function options(program: Command) {
  return withKube(
    onceWithSeries(program).addOption(viaOption()),
    'attempt the probes of this pod of a cluster: pod/web',
    [
      ...(['http', 'https', 'tcp', 'grpc', 'exec', 'http2PriorKnowledge', 'tls'] as const),
      ...(['port', 'allowLocalExec', 'allowHost'] as const),
    ],
  );
}

const SEVERAL = ['repeat', 'untilSuccess', 'untilFailure', 'until'] as const;

export const relations: Relations<OnceFlags> = {
  requires: {
    via: ['kube'],
    until: ['kube'],
    interval: SEVERAL,
    successThreshold: SEVERAL,
    failureThreshold: SEVERAL,
    exec: ['--'],
    '--': ['exec'],
  },
};

function onceWithSeries(program: Command) {
  const series = onceWithManifests(program)
    .addOption(
      new Option('--repeat <n>', 'make this many attempts')
        .argParser(positiveInteger)
        .conflicts(['untilSuccess', 'untilFailure']),
    )
    .addOption(
      new Option('--until-success', 'make attempts until the probes succeed').conflicts(
        'untilFailure',
      ),
    )
    .option('--until-failure', 'make attempts until the probes fail')
    .addOption(
      choice(
        '--until <condition>',
        "with --kube: make attempts until the cluster's pod is ready and every decision that a standing fault could bring has had its time",
        ['stable'],
      ).conflicts(['repeat', 'untilSuccess', 'untilFailure']),
    )
    .option(
      '--interval <duration>',
      'time between attempts (1s, or periodSeconds)',
      positiveDuration,
    )
    .option('--success-threshold <n>', 'consecutive successes for success', positiveInteger)
    .option('--failure-threshold <n>', 'consecutive failures for failure', positiveInteger);
  const shown = withShared(series, 'timeout')
    .addOption(
      choice('--fail-on <result>', 'count this result or worse as a failure', [
        'warning',
        'failure',
      ]).default('failure'),
    )
    .addOption(
      choice('-o, --output <format>', 'JSON, one object per attempt, or a JUnit report', [
        'json',
        'junit',
      ]),
    );
  const verbose = withShared(shown, 'report', 'withSecrets', 'color').option(
    '-v, --verbose',
    'show the request, the response and the times',
  );
  return withShared(verbose, 'quiet');
}
