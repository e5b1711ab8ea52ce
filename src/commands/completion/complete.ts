import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';

import { allContainers, type Container } from '../../api/index.js';
import { excludes } from '../../cli/shared/defaults.js';
import { EXIT } from '../../cli/shared/exit-code.js';
import { type Io, orAborted, unlessQuiet, write } from '../../cli/shared/io.js';
import { containerProbes, PROBE_TYPES, probeOf } from '../../kubelet/prober/probe-of.js';

/** Parts of cobra's ShellCompDirective, which kubectl reads of its plugins too. */
const NO_SPACE = 2;
const NO_FILES = 4;

interface Program {
  readonly load: (words: readonly string[]) => Promise<CommandUnknownOpts>;
  readonly commandFirst: (words: readonly string[]) => readonly string[];
  readonly ruleIDs: () => Promise<readonly string[]>;
}

/**
 * `kprobe __complete -- WORD…` and `kprobe __complete --line LINE` for shells: prints candidates for the last word.
 * Errors are ignored, since a shell could not show them.
 */
export async function complete(args: readonly string[], program: Program, io: Io): Promise<number> {
  const [kind, ...rest] = args;
  const words = kind === '--line' ? splitLine(rest.join(' ')).slice(1) : rest;
  const current = words.at(-1) ?? '';
  const found = await candidatesFor(words.slice(0, -1), current, program, io).catch(() => FILES);
  const values = found.values.filter(({ value }) => value.startsWith(current));
  const open = values.some(({ value }) => /[=/:.]$/.test(value));
  const directive = (open ? NO_SPACE : 0) + (found.files && values.length === 0 ? 0 : NO_FILES);
  const lines = values.map(({ value, text }) => `${value}\t${text}\n`);
  await write(io.stdout, `${lines.join('')}:${directive}\n`);
  return EXIT.success;
}

/** Splits a line as a shell does, without expansions; the last word is that at the cursor. */
export function splitLine(line: string): readonly string[] {
  const words = line.match(/(?:\\.|"(?:\\.|[^"\\])*"?|'[^']*'?|[^\s"'\\])+/gs) ?? [];
  const plain = words.map((word) =>
    word.replace(
      /\\(.)|"((?:\\.|[^"\\])*)"?|'([^']*)'?/gs,
      (_, ...parts: (string | undefined)[]) =>
        parts[0] ?? parts[1]?.replace(/\\(.)/gs, '$1') ?? parts[2] ?? '',
    ),
  );
  return /(?<!\\)\s$/.test(line) || line === '' ? [...plain, ''] : plain;
}

async function candidatesFor(
  typed: readonly string[],
  current: string,
  source: Program,
  io: Io,
): Promise<Candidates> {
  const words = source.commandFirst(typed);
  const [name, ...rest] = words;
  const program = await source.load(words);
  const command = program.commands.find((each) => each.name() === name);
  if (command !== undefined)
    return ofCommand(command, rest, current, { io, ruleIDs: source.ruleIDs });
  if (current.startsWith('-')) return { values: optionsOf(program, new Set()), files: false };
  const commands = program.commands.map((each) => candidate(each.name(), each.summary()));
  const isHelp = name === 'help' && rest.length === 0;
  if (name !== undefined && !isHelp) return FILES;
  const help = isHelp ? [] : [candidate('help', 'show help for a command')];
  return { values: [...commands, ...help], files: false };
}

async function ofCommand(
  command: CommandUnknownOpts,
  words: readonly string[],
  current: string,
  context: Context,
): Promise<Candidates> {
  const line = readLine(command, words);
  if (line.isOver) {
    // The first word of a container's command may be `app=`; all else after `--` is the command's own.
    const isFirst = words.at(-1) === '--' && ['run', 'ci'].includes(command.name());
    const values = isFirst ? described(await containerPrefixes(line, context)) : [];
    return { values, files: true };
  }
  if (line.pending !== undefined) return valuesOf(line.pending, line, { ...context, current });
  const [, flag = '', stem = ''] = /^((--[\w-]+)=)/.exec(current) ?? [];
  const option = flag === '' ? undefined : command.options.find(({ long }) => long === stem);
  if (option !== undefined) {
    const value = current.slice(flag.length);
    const { values, files } = await valuesOf(option, line, { ...context, current: value });
    return { values: values.map(({ value, text }) => candidate(`${flag}${value}`, text)), files };
  }
  if (current.startsWith('-')) return { values: optionsOf(command, line.seen), files: false };
  const [argument] = command.registeredArguments;
  if (argument === undefined) return { values: [], files: false };
  if (argument.argChoices !== undefined) {
    return { values: described(argument.argChoices), files: false };
  }
  if (argument.name() !== 'resource') return FILES;
  return { values: described(await resources(line, { ...context, current })), files: false };
}

interface Line {
  readonly paths: readonly string[];
  /** Names of the options so far, as `conflicts` has them. */
  readonly seen: ReadonlySet<string>;
  readonly flags: ReadonlyMap<string, string>;
  /** The option whose value is at the cursor. */
  readonly pending?: Option;
  /** True after `--`. */
  readonly isOver: boolean;
}

function readLine(command: CommandUnknownOpts, words: readonly string[]): Line {
  const paths: string[] = [];
  const seen = new Set<string>();
  const flags = new Map<string, string>();
  let pending: Option | undefined;
  for (const word of words) {
    if (pending !== undefined) {
      if (pending.long === '--filename') paths.push(word);
      flags.set(pending.attributeName(), word);
      pending = undefined;
      continue;
    }
    if (word === '--') return { paths, seen, flags, isOver: true };
    if (!/^-./.test(word)) {
      paths.push(word);
      continue;
    }
    const [name = '', value] = word.startsWith('--') ? word.split(/=(.*)/s, 2) : [word];
    const option = command.options.find(({ long, short }) => long === name || short === name);
    if (option === undefined) continue;
    seen.add(option.attributeName());
    if (value !== undefined) flags.set(option.attributeName(), value);
    else if (option.required) pending = option;
  }
  return { paths, seen, flags, isOver: false, ...(pending !== undefined && { pending }) };
}

/** Returns the options that are still possible; those with a free value can be repeated. */
function optionsOf(command: CommandUnknownOpts, seen: ReadonlySet<string>): readonly Candidate[] {
  const options = command.createHelp().visibleOptions(command);
  const given = options.filter((option) => seen.has(option.attributeName()));
  return options
    .filter((option) => {
      const isOnce = !option.required || option.argChoices !== undefined;
      return !(isOnce && given.includes(option)) && !given.some((other) => excludes(other, option));
    })
    .flatMap(({ long, description }) => (long ? [candidate(long, description)] : []));
}

const RESOURCES = ['pod/', 'deployment/', 'statefulset/', 'daemonset/', 'replicaset/', 'job/'];

/** Milliseconds that a key press may wait for a cluster. */
const CLUSTER_LIMIT = 2000;

/** Returns types, and after `TYPE/` the names that the cluster has; the types alone where it does not answer. */
async function resources(line: Line, { io, current }: ValueContext) {
  const [type = '', name] = current.split('/');
  if (name === undefined) return RESOURCES;
  return namesInCluster(type, line, io).catch(() => RESOURCES);
}

async function namesInCluster(type: string, { flags, seen }: Line, io: Io) {
  const { connect, parseResource, resourcePath } = await import('../../cluster/client/cluster.js');
  const { asGroup, requestTimeout: _, ...given } = Object.fromEntries(flags);
  const signal = AbortSignal.any([io.signal, AbortSignal.timeout(CLUSTER_LIMIT)]);
  const cluster = await connect(
    {
      ...given,
      ...(asGroup !== undefined && { asGroup: [asGroup] }),
      ...(seen.has('insecureSkipTlsVerify') && { insecureSkipTlsVerify: true as const }),
    },
    io.env,
  );
  try {
    const path = resourcePath(parseResource([type]).kind, { namespace: cluster.namespace });
    const { items } = (await orAborted(signal, cluster.get(`${path}?limit=500`, signal))) as {
      readonly items?: readonly { readonly metadata?: { readonly name?: unknown } }[];
    };
    const names = (items ?? []).map(({ metadata }) => String(metadata?.name));
    return names.filter((each) => /^[a-z0-9.-]+$/.test(each)).map((each) => `${type}/${each}`);
  } finally {
    await cluster.close();
  }
}

/** Puts a description on one line. */
function candidate(value: string, text: string): Candidate {
  return { value, text: text.replace(/\s+/g, ' ') };
}

interface Candidate {
  readonly value: string;
  readonly text: string;
}

interface Candidates {
  readonly values: readonly Candidate[];
  /** True where file names are possible too. */
  readonly files: boolean;
}

const FILES: Candidates = { values: [], files: true };

interface Context extends Pick<Program, 'ruleIDs'> {
  readonly io: Io;
}

/** The context of a value to complete; `current` is the part that is typed. */
interface ValueContext extends Context {
  readonly current: string;
}

type FindValues = (line: Line, context: ValueContext) => Promise<readonly string[]>;

/** Values by an option's flag, or by the placeholder of its value. */
const VALUES: Readonly<Record<string, FindValues>> = {
  '--container': async (line, { io }) => (await containers(line, io)).map(({ name }) => name),
  '--probe': probesNamed,
  '--rule': (_, { ruleIDs }) => ruleIDs(),
  '--without': (_, { ruleIDs }) => ruleIDs(),
  '--explain': (_, { ruleIDs }) => ruleIDs(),
  '--kube': resources,
  '--context': kubeconfigNames('contexts'),
  '--cluster': kubeconfigNames('clusters'),
  '--user': kubeconfigNames('users'),
  'container=image': containerPrefixes,
  '[container=]name': containerPrefixes,
  'local:container': async (line, { io }) =>
    (await containers(line, io)).flatMap(({ ports = [] }) =>
      ports.map(({ containerPort }) => `${containerPort}:${containerPort}`),
    ),
  'container.probe.field=value': settings,
};

const FILE_PLACEHOLDERS = /^(?:path|file|folder|claim=folder)$/;

async function valuesOf(option: Option, line: Line, context: ValueContext): Promise<Candidates> {
  const placeholder = /<(.*)>$/.exec(option.flags)?.[1] ?? '';
  const found = VALUES[option.long ?? ''] ?? VALUES[placeholder];
  const fixed = option.argChoices ?? [];
  if (found === undefined && placeholder.startsWith('[target=]')) {
    return { values: described(await targets(line, context)), files: false };
  }
  const values = found === undefined ? fixed : await found(line, context).catch(() => fixed);
  const names = values.length === 0 ? fixed : values;
  return { values: described(names), files: FILE_PLACEHOLDERS.test(placeholder) };
}

function described(values: readonly string[]): readonly Candidate[] {
  return [...new Set(values)].map((value) => ({ value, text: '' }));
}

/** Returns the containers of the manifests on the line; standard input and clusters are not read. */
async function containers({ paths }: Line, io: Io): Promise<readonly Container[]> {
  const { readManifests } = await import('../../cli/shared/read-sources.js');
  const { loadManifest } = await import('../../manifest/pods/load-manifest.js');
  const files = paths.filter((path) => path !== '-' && !/^[a-z]+:/.test(path));
  const { sources } = await readManifests(files, unlessQuiet({ quiet: true }, io));
  const { pods } = loadManifest(sources, { validate: false });
  return pods.flatMap(({ pod }) => allContainers(pod.spec));
}

/** Returns the kinds of probes that the container of `--container` has, or any container. */
async function probesNamed(line: Line, { io }: Context): Promise<readonly string[]> {
  const name = line.flags.get('container');
  const all = await containers(line, io);
  const chosen = all.filter((each) => name === undefined || each.name === name);
  return PROBE_TYPES.filter((type) => chosen.some((each) => probeOf(each, type) !== undefined));
}

async function containerPrefixes(line: Line, { io }: Context): Promise<readonly string[]> {
  return (await containers(line, io)).map(({ name }) => `${name}=`);
}

/** `app=`, `app.readiness=`. */
async function targets(line: Line, { io }: Context): Promise<readonly string[]> {
  const all = await containers(line, io).catch(() => []);
  return all.flatMap((each) => [
    `${each.name}=`,
    ...containerProbes(each).map(({ type }) => `${each.name}.${type}=`),
  ]);
}

/** Returns settings of the containers in a recording: `app.livenessProbe.periodSeconds=`. */
async function settings(
  { paths: [path = '-'] }: Line,
  { io }: Context,
): Promise<readonly string[]> {
  if (path === '-') return [];
  const { PROBE_DEFAULTS } = await import('../../api/decode/index.js');
  const { readTraceFile } = await import('../../cli/shared/read-trace-file.js');
  const noNotes = unlessQuiet({ quiet: true }, io);
  const quiet = Object.create(noNotes, { stderr: { value: noNotes.notes } }) as Io;
  const trace = await readTraceFile(path, { partial: true }, quiet);
  const fields = [...Object.keys(PROBE_DEFAULTS), 'terminationGracePeriodSeconds'];
  const pods = (trace?.lines ?? []).flatMap((line) => (line.kind === 'pod' ? line.object : []));
  return pods.flatMap(({ spec }) =>
    allContainers(spec).flatMap((each) =>
      containerProbes(each).flatMap(({ type }) =>
        fields.map((field) => `${each.name}.${type}Probe.${field}=`),
      ),
    ),
  );
}

function kubeconfigNames(kind: 'contexts' | 'clusters' | 'users'): FindValues {
  return async ({ flags }, { io }) => {
    const { readFiles } = await import('../../cluster/connection/kubeconfig.js');
    return [...readFiles(flags.get('kubeconfig'), io.env)[kind].keys()];
  };
}
