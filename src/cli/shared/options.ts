import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

import {
  type Command,
  type InferOptions,
  InvalidArgumentError,
  Option,
  type OptionValues,
} from '@commander-js/extra-typings';

import { parseDuration } from '../../go/duration.js';
import {
  DEFAULT_RELEASE,
  type FeatureGates,
  type KubeletConfig,
  kubeletOf,
  KUBERNETES_RELEASES,
  MAX_CONTAINER_BACK_OFF,
  PROVIDERS,
} from '../../kubelet/release.js';
import { ENGINE_NAMES } from '../../runtime/container/engine-kind.js';

/** The releases that kprobe plays, as help and errors name them. */
const RELEASES = `${KUBERNETES_RELEASES[0]} – ${KUBERNETES_RELEASES.at(-1)}`;
const PRESETS = PROVIDERS.map((name) => `${name}-${KUBERNETES_RELEASES[2]}`).join(', ');

const kubelet = parsed(`a release that kprobe plays, ${RELEASES} (or ${PRESETS})`, kubeletOf);

/** Parses `1.34..1.36`; a single release is allowed, because the environment may set one for all commands. */
function kubelets(text: string): readonly KubeletConfig[] | undefined {
  const all = text.split('..').flatMap((each) => kubeletOf(each) ?? []);
  return all.length === text.split('..').length && all.length <= 2 ? all : undefined;
}

/** Parses a value with a parser that returns undefined for what does not have the form. */
export function parsed<T>(form: string, parse: (text: string) => T | undefined) {
  return (text: string): T => {
    const value = parse(text);
    if (value === undefined) throw new InvalidArgumentError(`Write ${form}.`);
    return value;
  };
}

/** Parses a Go duration such as `90s` into milliseconds. */
export function duration(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined) {
    const bare = /^\d+(?:\.\d+)?$/.test(text);
    throw new InvalidArgumentError(
      bare
        ? `Durations have a unit: write ${text}s.`
        : 'Durations are written as 30s, 1m30s or 500ms.',
    );
  }
  if (milliseconds < 0) throw new InvalidArgumentError('A duration cannot be negative.');
  return milliseconds;
}

export function positiveDuration(text: string): number {
  const milliseconds = duration(text);
  if (milliseconds === 0) throw new InvalidArgumentError('It must be more than 0.');
  return milliseconds;
}

function integer(min: number) {
  return (text: string): number | undefined => {
    const number = Number(text);
    const isRight = /^\d+$/.test(text) && number >= min && Number.isSafeInteger(number);
    return isRight ? number : undefined;
  };
}

export const positiveInteger = parsed('a whole number from 1, such as 3', integer(1));
export const wholeNumber = parsed('a whole number, such as 3', integer(0));

/** Adds `Name=true,Other=false` to gates that were set before. */
function featureGates(text: string, before: FeatureGates = {}): FeatureGates {
  const gates = text.split(',').map((each) => {
    const [, name, value] = /^\s*(\w+)=(true|false)\s*$/i.exec(each) ?? [];
    if (name === undefined) throw new InvalidArgumentError('Write Name=true,Other=false.');
    return [name, value?.toLowerCase() === 'true'] as const;
  });
  return { ...before, ...Object.fromEntries(gates) };
}

/** Parses a duration within the kubelet's limits into seconds. */
function restartPeriod(text: string): number {
  const seconds = duration(text) / 1000;
  if (seconds >= 1 && seconds <= MAX_CONTAINER_BACK_OFF) return seconds;
  throw new InvalidArgumentError(`The kubelet takes 1s to ${MAX_CONTAINER_BACK_OFF}s.`);
}

export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** Adds a `LOCAL:CONTAINER` to the map from container ports to local ports. */
function portMapping(
  text: string,
  before: ReadonlyMap<number, number> = new Map(),
): ReadonlyMap<number, number> {
  const match = /^(\d+):(\d+)$/.exec(text);
  const [local, container] = [Number(match?.[1]), Number(match?.[2])];
  if (!isPort(local) || !isPort(container)) {
    throw new InvalidArgumentError(
      'Write LOCAL:CONTAINER, two ports from 1 to 65535, such as 18080:8080.',
    );
  }
  if (before.has(container)) {
    throw new InvalidArgumentError(`Container port ${container} is mapped twice.`);
  }
  return new Map([...before, [container, local]]);
}

function isPort(port: number): boolean {
  return port >= 1 && port <= 65_535;
}

/** Splits `NAME=VALUE` at the first `=`. */
function assignment(text: string): readonly [name: string, value: string] {
  const [name = '', ...rest] = text.split('=');
  return [name, rest.join('=')];
}

type Replacements = ReadonlyMap<string, string>;

function imageReplacement(text: string, before: Replacements = new Map()): Replacements {
  const [name, value] = assignment(text);
  if (name === '' || value === '') {
    throw new InvalidArgumentError('Write CONTAINER=IMAGE, such as app=local:tag.');
  }
  if (before.has(name)) throw new InvalidArgumentError(`${name} is given twice.`);
  return new Map([...before, [name, value]]);
}

function folderReplacement(text: string, before?: Replacements): Replacements {
  const [name, folder] = assignment(text);
  if (folder === '') throw new InvalidArgumentError('Write NAME=FOLDER, such as data=./data.');
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    throw new InvalidArgumentError(`There is no folder ${folder}.`);
  }
  return imageReplacement(`${name}=${resolve(folder)}`, before);
}

const hostAddress = parsed(
  'a name or an address without scheme and port, such as 127.0.0.1 or ::1',
  (text) => (isHost(text) ? text : undefined),
);

/** Accepts a host name, an IPv4 address, or an IPv6 address without brackets. */
export function isHost(text: string): boolean {
  return (
    /^[^\s\p{C}:/?#@%[\]\\]+$/u.test(text) ||
    /^[\da-f.]*:[\da-f.]*:[\da-f:.]*(?:%\w+)?$/i.test(text)
  );
}

const REPORT_KINDS = ['html', 'junit', 'markdown', 'tap', 'github'] as const;

export interface ReportTarget {
  readonly kind: (typeof REPORT_KINDS)[number];
  readonly path: string;
}

function reportTarget(text: string, before: readonly ReportTarget[] = []): readonly ReportTarget[] {
  const [name, path] = assignment(text);
  const kind = REPORT_KINDS.find((known) => known === name);
  if (kind === undefined || path === '') {
    throw new InvalidArgumentError(
      `Write KIND=FILE, such as html=report.html; kinds: ${REPORT_KINDS.join(', ')}.`,
    );
  }
  if (path !== '-' && before.some((file) => resolve(file.path) === resolve(path))) {
    throw new InvalidArgumentError(`${path} is given twice.`);
  }
  return [...before, { kind, path }];
}

export interface MetricsAddress {
  readonly host: string;
  readonly port: number;
}

/** Parses `9090`, `127.0.0.1:9090` or `[::1]:9090`; other machines get no metrics. */
function metricsAddress(text: string): MetricsAddress | undefined {
  const match = /^(?:(127(?:\.\d{1,3}){3}|localhost|\[::1\])?:)?(\d+)$/.exec(text);
  const port = Number(match?.[2]);
  if (!isPort(port)) return undefined;
  return { host: (match?.[1] ?? '127.0.0.1').replaceAll(/[[\]]/g, ''), port };
}

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
    new Option('--for <time>', 'how long to simulate (10m)').argParser(positiveDuration),
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
