import type { Option } from '@commander-js/extra-typings';

import { allContainers, type Container } from '../../api/index.js';
import { PROBE_TYPES, probeOf } from '../../kubelet/prober/probe-of.js';
import { type Io, unlessQuiet } from '../shared/io.js';

export interface Candidate {
  readonly value: string;
  /** One line; empty for none. */
  readonly text: string;
}

export interface Candidates {
  readonly values: readonly Candidate[];
  /** True where names of files are right too. */
  readonly files: boolean;
}

export const FILES: Candidates = { values: [], files: true };

interface OnLine {
  readonly paths: readonly string[];
  readonly flags: ReadonlyMap<string, string>;
}

type Values = (line: OnLine, io: Io) => Promise<readonly string[]>;

/** Values by an option's flag, or by the placeholder of its value. */
const VALUES: ReadonlyMap<string, Values> = new Map<string, Values>([
  ['--container', async (line, io) => (await containers(line, io)).map(({ name }) => name)],
  ['--probe', async (line, io) => probeTypes(await containersNamed(line, io))],
  ['--rule', ruleIds],
  ['--without', ruleIds],
  ['--explain', ruleIds],
  ['--context', kubeconfigNames('contexts')],
  ['--cluster', kubeconfigNames('clusters')],
  ['--user', kubeconfigNames('users')],
  ['container=image', containerPrefixes],
  ['[container=]name', containerPrefixes],
  ['local:container', async (line, io) => (await containers(line, io)).flatMap(portsOf)],
  ['container.probe.field=value', settings],
]);

const FILE_PLACEHOLDERS = /^(?:path|file|folder|claim=folder)$/;

/** Returns what may be the value of an option. */
export async function valuesOf(option: Option, line: OnLine, io: Io): Promise<Candidates> {
  const placeholder = /<(.*)>$/.exec(option.flags)?.[1] ?? '';
  const found = VALUES.get(option.long ?? '') ?? VALUES.get(placeholder);
  const fixed = option.argChoices ?? [];
  if (found === undefined && placeholder.startsWith('[target=]')) {
    return { values: described(await targets(line, io)), files: false };
  }
  const values = found === undefined ? fixed : await found(line, io).catch(() => fixed);
  const names = values.length === 0 ? fixed : values;
  return { values: described(names), files: FILE_PLACEHOLDERS.test(placeholder) };
}

function described(values: readonly string[]): readonly Candidate[] {
  return [...new Set(values)].map((value) => ({ value, text: '' }));
}

/** The containers of the manifests on the line, and of what else there is no need to wait for. */
async function containers({ paths }: OnLine, io: Io): Promise<readonly Container[]> {
  const { readManifests } = await import('../shared/read-sources.js');
  const { loadManifest } = await import('../../manifest/pods/load-manifest.js');
  const files = paths.filter((path) => path !== '-' && !/^[a-z]+:/.test(path));
  const { sources } = await readManifests(files, unlessQuiet({ quiet: true }, io));
  const { pods } = loadManifest(sources, { validate: false });
  return pods.flatMap(({ pod }) => allContainers(pod.spec));
}

async function containersNamed(line: OnLine, io: Io): Promise<readonly Container[]> {
  const name = line.flags.get('container');
  const all = await containers(line, io);
  return all.filter((each) => name === undefined || each.name === name);
}

function probeTypes(all: readonly Container[]): readonly string[] {
  return PROBE_TYPES.filter((type) => all.some((each) => probeOf(each, type) !== undefined));
}

function portsOf({ ports = [] }: Container): readonly string[] {
  return ports.map(({ containerPort }) => `${containerPort}:${containerPort}`);
}

async function containerPrefixes(line: OnLine, io: Io): Promise<readonly string[]> {
  return (await containers(line, io)).map(({ name }) => `${name}=`);
}

/** `app=`, `app.readiness=`. */
async function targets(line: OnLine, io: Io): Promise<readonly string[]> {
  const all = await containers(line, io).catch(() => []);
  return all.flatMap((each) => [
    `${each.name}=`,
    ...probeTypes([each]).map((type) => `${each.name}.${type}=`),
  ]);
}

const FIELDS = [
  'initialDelaySeconds',
  'periodSeconds',
  'timeoutSeconds',
  'failureThreshold',
  'successThreshold',
  'terminationGracePeriodSeconds',
];

/** `app.livenessProbe.periodSeconds=` of the containers in a recording. */
async function settings({ paths: [path = '-'] }: OnLine, io: Io): Promise<readonly string[]> {
  if (path === '-') return [];
  const { readTraceFile } = await import('../shared/read-trace-file.js');
  const quiet = Object.create(unlessQuiet({ quiet: true }, io), {
    stderr: { value: unlessQuiet({ quiet: true }, io).notes },
  }) as Io;
  const trace = await readTraceFile(path, { partial: true }, quiet);
  const all =
    trace?.lines.flatMap((each) => (each.kind === 'pod' ? allContainers(each.object.spec) : [])) ??
    [];
  return all.flatMap((each) =>
    probeTypes([each]).flatMap((type) =>
      FIELDS.map((field) => `${each.name}.${type}Probe.${field}=`),
    ),
  );
}

async function ruleIds(): Promise<readonly string[]> {
  const { RULES } = await import('../../lint/rules.js');
  return RULES.map(({ id }) => id);
}

/** The names of a kubeconfig's entries. */
function kubeconfigNames(kind: 'contexts' | 'clusters' | 'users'): Values {
  return async ({ flags }, { env }) => {
    const { readFiles } = await import('../../cluster/connection/kubeconfig.js');
    return [...readFiles(flags.get('kubeconfig'), env)[kind].keys()];
  };
}
