import {
  type Command,
  type InferOptions,
  Option,
  type OptionValues,
} from '@commander-js/extra-typings';

import {
  DEFAULT_RELEASE,
  KUBERNETES_RELEASES,
  MAX_CONTAINER_BACK_OFF,
} from '../../kubelet/release.js';
import { ENGINE_NAMES } from '../../runtime/container/engine-kind.js';
import {
  collect,
  duration,
  featureGates,
  folderReplacement,
  hostAddress,
  imageReplacement,
  kubelet,
  kubelets,
  metricsAddress,
  parsed,
  portMapping,
  positiveInteger,
  PRESETS,
  RELEASES,
  reportTarget,
  restartPeriod,
  simulatedDuration,
} from './option-values.js';

export const MANIFESTS = 'files, folders of .yaml, .yml and .json files, - for standard input';

export function choice<const F extends string, const C extends readonly string[]>(
  flags: F,
  description: string,
  choices: C,
) {
  return new Option(flags, description).choices(choices);
}

/** Returns a function that adds options with these flags. Inferring their types takes the compiler minutes. */
export function withOptions<Added>(options: readonly Option[]) {
  return <Args extends unknown[], Flags extends OptionValues>(command: Command<Args, Flags>) => {
    for (const option of options) {
      const isTaken = command.options.some(({ long }) => long === option.long);
      if (!isTaken) (command as unknown as Command).addOption(option);
    }
    return command as unknown as Command<Args, Flags & { [F in keyof Added]: Added[F] }>;
  };
}

const CONDITIONS = ['ready', 'stable', 'started', 'restarted', 'failed', 'succeeded'] as const;

export const OUTPUTS = ['lines', 'json', 'yaml'] as const;

/** The options of several commands. */
export const OPTIONS = {
  filename: () =>
    new Option('-f, --filename <path>', 'same as an argument; can be repeated').argParser(collect),
  exclude: () =>
    new Option(
      '--exclude <glob>',
      'skip these files and folders within a folder, besides dot folders, node_modules and what .gitignore names; can be repeated',
    ).argParser(collect),
  noValidate: () =>
    new Option('--no-validate', 'accept manifests that the API server would reject'),
  host: () =>
    new Option('--host <address>', 'where the containers listen')
      .argParser(hostAddress)
      .default('127.0.0.1'),
  container: () =>
    new Option(
      '-c, --container <name>',
      'the container that the one command after -- runs as: app, or web/app',
    ),
  start: () =>
    new Option(
      '--start',
      'start the containers for which .kprobe.yaml has a command (start: { app: node app.js })',
    ).conflicts(['docker', 'create', 'kube']),
  onlyContainer: () => new Option('-c, --container <name>', 'only this container'),
  port: () =>
    new Option('-p, --port <local:container>', 'map a container port to a local port').argParser(
      portMapping,
    ),
  runtime: () => choice('--runtime <engine>', 'container engine (docker)', ENGINE_NAMES),
  create: () =>
    new Option(
      '--create',
      'create the pod in a container engine, and remove it at the end',
    ).conflicts(['docker', 'runHooks']),
  network: () =>
    new Option('--network <name>', "with --create: the engine's network (its bridge, or none)"),
  replace: () =>
    new Option('--replace', 'with --create: remove what a run has left of the pod').conflicts(
      'adopt',
    ),
  image: () =>
    new Option(
      '--image <container=image>',
      "with --create: use this image in place of the manifest's",
    ).argParser(imageReplacement),
  volume: () =>
    new Option(
      '--volume <claim=folder>',
      'with --create: mount a folder in place of a claim or a volume (kube-api-access: the service account token)',
    ).argParser(folderReplacement),
  allowHostPath: () =>
    new Option('--allow-host-path', 'with --create: mount folders of this machine'),
  allowPrivileged: () =>
    new Option(
      '--allow-privileged',
      'with --create: allow privileged containers and host namespaces',
    ),
  allowLocalExec: () =>
    new Option('--allow-local-exec', 'run exec probes and hooks of the manifest on this machine'),
  allowHost: () =>
    new Option('--allow-host', 'allow probes of other hosts that the manifest names'),
  allowSharedPort: () =>
    new Option('--allow-shared-port', 'start the command although its port answers already'),
  kubernetesVersion: () =>
    new Option(
      '--kubernetes-version <version>',
      `decide as the kubelet of this release does, ${RELEASES} or ${PRESETS} (${DEFAULT_RELEASE}; in a cluster, that of the pod's node)`,
    ).argParser(kubelet),
  featureGates: () =>
    new Option(
      '--feature-gates <gates>',
      "set Kubernetes' feature gates: Name=true,Other=false (the defaults of the release)",
    ).argParser(featureGates),
  maxRestartPeriod: () =>
    new Option(
      '--max-restart-period <duration>',
      `the longest back-off, from 1s to ${MAX_CONTAINER_BACK_OFF}s: the kubelet's crashLoopBackOff.maxContainerRestartPeriod (${MAX_CONTAINER_BACK_OFF}s)`,
    ).argParser(restartPeriod),
  kubernetesVersions: () =>
    new Option(
      '--kubernetes-version <from..to>',
      `show what an upgrade changes for the pods of one manifest: 1.34..1.36, within ${RELEASES}`,
    ).argParser(
      parsed(`two releases that kprobe plays, ${RELEASES}, such as 1.34..1.36`, kubelets),
    ),
  upgradeTo: () =>
    new Option(
      '--upgrade-to <version>',
      `also report what an upgrade to this release changes, from --kubernetes-version (${KUBERNETES_RELEASES[0]})`,
    ).argParser(kubelet),
  nodesUpgradeTo: () =>
    new Option(
      '--upgrade-to <version>',
      'show what an upgrade of the nodes to this release changes for the pods, and end',
    )
      .argParser(kubelet)
      .conflicts(['until', 'for', 'record', 'report', 'metrics']),
  until: () =>
    choice(
      '--until <condition>',
      'stop when this condition is met, or no longer can be',
      CONDITIONS,
    ),
  timeout: () =>
    new Option('--timeout <duration>', 'give up after this long (exit code 124)').argParser(
      duration,
    ),
  for: () =>
    new Option('--for <duration>', 'stop after this long').argParser(duration).conflicts('until'),
  simulatedTime: () =>
    new Option('--for <time>', 'how long to simulate (10m)').argParser(simulatedDuration),
  runs: () =>
    new Option(
      '--runs <number>',
      'simulate this many times with different random values, and summarize',
    )
      .argParser(positiveInteger)
      .conflicts(['compare', 'trace']),
  seed: () =>
    new Option(
      '--seed <number>',
      'seed of the random values; without it, random waits take their average',
    ).argParser(positiveInteger),
  report: () =>
    new Option(
      '--report <kind=file>',
      'write a report at the end: html, junit, markdown, tap or github (- is standard output); can be repeated',
    )
      .argParser(reportTarget)
      .conflicts(['runs', 'compare', 'trace']),
  record: () =>
    new Option('--record <file>', 'write the trace to a file, which kprobe replay shows again'),
  partial: () =>
    new Option('--partial', 'use the intact lines of a trace that is cut off or damaged'),
  metrics: () =>
    new Option(
      '--metrics <address>',
      "serve the kubelet's metrics of probes and pods while this runs, such as at 127.0.0.1:9090",
    ).argParser(parsed('a loopback address and a port, such as 127.0.0.1:9090', metricsAddress)),
  output: () =>
    choice('-o, --output <format>', 'lines, the trace as NDJSON, or the status as YAML', OUTPUTS),
  textOrJson: () => choice('-o, --output <format>', 'text or JSON (text)', ['text', 'json']),
  findings: () =>
    choice('-o, --output <format>', 'ndjson: one finding per line', [
      'text',
      'json',
      'ndjson',
      'github',
      'sarif',
      'junit',
    ]).default('text'),
  withSecrets: () =>
    new Option('--with-secrets', 'do not mask the values of variables, credentials and tokens'),
  quiet: () => new Option('-q, --quiet', 'print nothing but errors; use the exit code'),
  plain: () => new Option('--plain', 'print lines, even on a terminal'),
  color: () =>
    choice('--color <when>', 'color on the terminal (auto)', ['auto', 'always', 'never']),
  logs: () => new Option('--logs', 'with lines, show what the command writes'),
  noHints: () => new Option('--no-hints', 'no hints about likely causes'),
  verbose: () => new Option('-v, --verbose', 'with lines, show every attempt'),
};

type Shared = typeof OPTIONS;
/** The flags of one option, as commander derives them. */
type FlagsOf<O> =
  O extends Option<
    infer Usage,
    infer Preset,
    infer Default,
    infer Coerce,
    infer Must,
    infer Choices
  >
    ? InferOptions<unknown, Usage, Default, Coerce, Must, Preset, Choices>
    : never;
/** The intersection of the members of a union. */
type Intersection<U> = (U extends unknown ? (each: U) => void : never) extends (
  all: infer I,
) => void
  ? I
  : never;

/** The flags of these options, as a command line gives them. */
type SharedFlags<Name extends keyof Shared> = Intersection<
  { [N in Name]: FlagsOf<ReturnType<Shared[N]>> }[Name]
>;

/** Some of the flags of these options, for code of several commands. */
export type FlagsAmong<Name extends keyof Shared> = {
  readonly [Flag in keyof SharedFlags<Name>]?: SharedFlags<Name>[Flag] | undefined;
};

export interface ReportFlags extends FlagsAmong<'report' | 'withSecrets' | 'record'> {
  readonly statusFile?: string | undefined;
}

/** The options of commands that decide as a kubelet. */
export const KUBELET = ['kubernetesVersion', 'featureGates', 'maxRestartPeriod'] as const;

/** Adds options of several commands, by their names in OPTIONS. */
export function withShared<
  Args extends unknown[],
  Flags extends OptionValues,
  Name extends keyof Shared,
>(command: Command<Args, Flags>, ...names: readonly Name[]) {
  for (const name of names) (command as unknown as Command).addOption(OPTIONS[name]());
  return command as unknown as Command<Args, Flags & SharedFlags<Name>>;
}
