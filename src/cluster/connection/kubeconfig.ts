import { existsSync, readFileSync, statSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';

import { ownField } from '../../api/index.js';
import { jsonText, SyntaxProblem } from '../../go/json.js';
import type { JsonNode } from '../../go/json-node.js';
import { parseYaml } from '../../manifest/documents/parse-yaml.js';
import { ClusterError } from '../cluster-error.js';
import type { ClusterFlags } from '../types.js';

/** The type of a field: for a list, that of its items; for an object, those of the fields that are read, with `*` for all others. */
type Shape = 'string' | 'bool' | 'any' | readonly [Shape] | { readonly [field: string]: Shape };

type Valid<S> = S extends 'string'
  ? string
  : S extends 'bool'
    ? boolean
    : S extends readonly [infer Item]
      ? readonly Valid<Item>[]
      : S extends { readonly '*': infer Item }
        ? Readonly<Record<string, Valid<Item>>>
        : S extends object
          ? { readonly [Field in keyof S]?: Valid<S[Field]> }
          : unknown;

const strings = <const Field extends string>(...names: readonly Field[]) =>
  Object.fromEntries(names.map((name) => [name, 'string'])) as Readonly<Record<Field, 'string'>>;

const CLUSTER = {
  ...strings('server', 'certificate-authority', 'certificate-authority-data', 'tls-server-name'),
  ...strings('proxy-url'),
  'insecure-skip-tls-verify': 'bool',
  extensions: [{ name: 'string', extension: 'any' }],
} as const;
const EXEC = {
  ...strings('apiVersion', 'command', 'installHint', 'interactiveMode'),
  args: ['string'],
  env: [strings('name', 'value')],
  provideClusterInfo: 'bool',
} as const;
const USER = {
  ...strings('token', 'tokenFile', 'username', 'password', 'as', 'as-uid'),
  ...strings('client-certificate', 'client-certificate-data', 'client-key', 'client-key-data'),
  'as-groups': ['string'],
  'as-user-extra': { '*': ['string'] },
  exec: EXEC,
  'auth-provider': strings('name'),
} as const;
const CONTEXT = strings('cluster', 'user', 'namespace');
const KUBECONFIG = {
  'current-context': 'string',
  clusters: [{ name: 'string', cluster: CLUSTER }],
  users: [{ name: 'string', user: USER }],
  contexts: [{ name: 'string', context: CONTEXT }],
} as const;

export type ClusterEntry = Valid<typeof CLUSTER>;
export type ExecEntry = Valid<typeof EXEC>;
export type UserEntry = Valid<typeof USER>;

/** The cluster, user and namespace that kubectl would use. */
export interface ClusterConfig {
  /** Empty without a context. */
  readonly context: string;
  readonly namespace: string;
  readonly cluster: ClusterEntry & { readonly server: string };
  readonly user: UserEntry;
  readonly userName: string;
}

/** Entries by name; the first file wins. */
interface Kubeconfig {
  readonly files: readonly string[];
  currentContext: string;
  readonly clusters: Map<string, ClusterEntry>;
  readonly users: Map<string, UserEntry>;
  readonly contexts: Map<string, Valid<typeof CONTEXT>>;
}

const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Finds the cluster, the user and the namespace as kubectl does (client-go's tools/clientcmd). Throws a ClusterError. */
export function loadKubeconfig(
  flags: ClusterFlags,
  env: NodeJS.ProcessEnv,
  serviceAccount = SERVICE_ACCOUNT,
): ClusterConfig {
  const kubeconfig = readFiles(flags.kubeconfig, env);
  const contextName = flags.context ?? kubeconfig.currentContext;
  if (kubeconfig.clusters.size === 0 && flags.context === undefined) {
    const inCluster = inClusterConfig(env, serviceAccount);
    if (inCluster !== undefined) return withFlags(inCluster, flags);
  }
  const context = find(kubeconfig, 'context', kubeconfig.contexts, contextName);
  const clusterName = flags.cluster ?? context.cluster;
  const userName = flags.user ?? context.user;
  const cluster = find(kubeconfig, 'cluster', kubeconfig.clusters, clusterName);
  const user = find(kubeconfig, 'user', kubeconfig.users, userName);
  const server = text(flags.server) ?? text(cluster.server);
  if (server === undefined) throw noServer(kubeconfig, contextName, clusterName);
  const config: ClusterConfig = {
    context: contextName,
    namespace: text(context.namespace) ?? 'default',
    cluster: { ...cluster, server },
    user,
    userName: userName ?? '',
  };
  return withFlags(config, flags);
}

function noServer({ files, contexts }: Kubeconfig, context: string, cluster?: string): Error {
  const problem =
    cluster !== undefined
      ? `cluster "${cluster}" has no server`
      : contexts.size > 0 && context === ''
        ? `no current context: add --context (contexts: ${[...contexts.keys()].sort().join(', ')})`
        : `no cluster in ${files.join(', ')}: set KUBECONFIG, or add --kubeconfig`;
  return new ClusterError('invalid', problem);
}

function find<T extends object>(
  { files }: Kubeconfig,
  kind: string,
  entries: ReadonlyMap<string, T>,
  name: string | undefined,
): Partial<T> {
  if (text(name) === undefined) return {};
  const found = entries.get(name ?? '');
  if (found !== undefined) return found;
  const names = [...entries.keys()].sort().join(', ');
  const known = names === '' ? `none in ${files.join(', ')}` : `${kind}s: ${names}`;
  throw new ClusterError('invalid', `no ${kind} "${name ?? ''}" (${known})`);
}

/** Applies kubectl's flags; a certificate authority or a server replaces the settings that belong to it. */
function withFlags(config: ClusterConfig, flags: ClusterFlags): ClusterConfig {
  const { certificateAuthority: ca, insecureSkipTlsVerify: insecure, asGroup: groups } = flags;
  return {
    ...config,
    namespace: text(flags.namespace) ?? config.namespace,
    cluster: {
      ...config.cluster,
      ...(flags.server !== undefined && { server: flags.server, 'tls-server-name': '' }),
      ...(flags.tlsServerName !== undefined && { 'tls-server-name': flags.tlsServerName }),
      ...((ca !== undefined || insecure === true) && {
        'certificate-authority': ca ?? '',
        'certificate-authority-data': '',
        'insecure-skip-tls-verify': insecure === true,
      }),
    },
    user: {
      ...config.user,
      ...(flags.token !== undefined && { token: flags.token, tokenFile: '' }),
      ...(flags.clientCertificate !== undefined && {
        'client-certificate': flags.clientCertificate,
        'client-certificate-data': '',
      }),
      ...(flags.clientKey !== undefined && {
        'client-key': flags.clientKey,
        'client-key-data': '',
      }),
      ...(flags.as !== undefined && { as: flags.as }),
      ...(flags.asUid !== undefined && { 'as-uid': flags.asUid }),
      ...(groups !== undefined && groups.length > 0 && { 'as-groups': groups }),
    },
  };
}

/** Reads the files of --kubeconfig, of KUBECONFIG, or ~/.kube/config; missing files are skipped, except that of --kubeconfig. */
export function readFiles(explicit: string | undefined, env: NodeJS.ProcessEnv): Kubeconfig {
  const listed = text(env.KUBECONFIG)?.split(delimiter) ?? [join(env.HOME ?? '/', '.kube/config')];
  const files = explicit === undefined ? listed.filter((file) => file !== '') : [explicit];
  const maps = { clusters: new Map(), users: new Map(), contexts: new Map() };
  const all: Kubeconfig = { files, currentContext: '', ...maps };
  for (const file of files) {
    if (explicit === undefined && !existsSync(file)) continue;
    merge(all, file, readText(file, 'a kubeconfig'));
  }
  return all;
}

function merge(all: Kubeconfig, file: string, content: string): void {
  const config = parseFile(file, content);
  const folder = resolve(dirname(file));
  const named = <T extends object>(field: string): [string, T][] => {
    const list = (config[field] ?? []) as readonly Readonly<Record<string, unknown>>[];
    return list.map((entry): [string, T] => {
      const fields = Object.entries(entry[field.slice(0, -1)] ?? {});
      const set = fields.filter(([, value]) => value !== null);
      return [text(entry.name) ?? '', Object.fromEntries(set) as T];
    });
  };
  if (all.currentContext === '') all.currentContext = text(config['current-context']) ?? '';
  const add = <T>(map: Map<string, T>, name: string, value: T): void => {
    if (!map.has(name)) map.set(name, value);
  };
  for (const [name, value] of named<Valid<typeof CONTEXT>>('contexts'))
    add(all.contexts, name, value);
  for (const [name, value] of named<ClusterEntry>('clusters')) {
    add(all.clusters, name, resolvePaths(value, folder, ['certificate-authority']));
  }
  for (const [name, value] of named<UserEntry>('users')) {
    const paths = ['client-certificate', 'client-key', 'tokenFile'] as const;
    const user = resolvePaths(value, folder, paths);
    const { exec } = user;
    const isPath = exec?.command?.includes('/') === true;
    const resolved = isPath ? { exec: resolvePaths(exec, folder, ['command']) } : {};
    add(all.users, name, { ...user, ...resolved });
  }
}

/** Throws a SyntaxProblem at the first field of a wrong type. Its text never quotes the value, which may be a secret. */
function checkTypes(node: JsonNode, shape: Shape, path = ''): void {
  if (shape === 'any') return;
  const wanted = typeof shape === 'string' ? shape : Array.isArray(shape) ? 'array' : 'object';
  if (node.kind !== wanted) {
    throw new SyntaxProblem(`${path} must be of type ${wanted}, not ${node.kind}`, node.start);
  }
  const shapes = shape as Readonly<Record<string, Shape>>;
  if (node.kind === 'array') {
    node.items.forEach((item, i) => checkTypes(item, shapes[0] ?? 'string', `${path}[${i}]`));
  } else if (node.kind === 'object') {
    for (const { key, value } of node.members) {
      const type = ownField(shapes, key) ?? shapes['*'];
      if (type === undefined || value.kind === 'null') continue;
      checkTypes(value, type, path === '' ? key : `${path}.${key}`);
    }
  }
}

function parseFile(file: string, content: string): Readonly<Record<string, unknown>> {
  // The text of a syntax error may quote the file, and so a secret.
  let isParsed = false;
  try {
    const { node } = parseYaml(content);
    isParsed = node.kind === 'object';
    if (node.kind === 'null') return {};
    checkTypes(node, KUBECONFIG);
    return JSON.parse(jsonText(node)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    const before = error instanceof SyntaxProblem ? content.slice(0, error.offset) : undefined;
    const at = before === undefined ? '' : `:${before.split('\n').length}`;
    const problem = isParsed ? (error as Error).message : 'not a kubeconfig in YAML or JSON';
    throw new ClusterError('invalid', `kubeconfig ${file}${at}: ${problem}`);
  }
}

function resolvePaths<T extends object>(value: T, folder: string, fields: readonly (keyof T)[]): T {
  const changed = fields.flatMap((field) => {
    const path = text(value[field]);
    return path === undefined ? [] : [[field, resolve(folder, path)]];
  });
  return { ...value, ...Object.fromEntries(changed) } as T;
}

function inClusterConfig(env: NodeJS.ProcessEnv, folder: string): ClusterConfig | undefined {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  if (text(host) === undefined || text(port) === undefined) return undefined;
  if (!existsSync(`${folder}/token`)) return undefined;
  const file = `${folder}/namespace`;
  const namespace = existsSync(file) ? readText(file, 'the service account').trim() : '';
  return {
    context: '',
    namespace: text(env.POD_NAMESPACE) ?? text(namespace) ?? 'default',
    cluster: {
      server: `https://${host?.includes(':') === true ? `[${host}]` : (host ?? '')}:${port ?? ''}`,
      'certificate-authority': `${folder}/ca.crt`,
    },
    user: { tokenFile: `${folder}/token` },
    userName: 'the service account',
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns decoded base64 data, or the content of a file. */
export function fileOrData(file: string | undefined, data: string | undefined): string | undefined {
  if (data !== undefined && data !== '') return Buffer.from(data, 'base64').toString();
  return file === undefined || file === '' ? undefined : readText(file);
}

const MAX_BYTES = 64 * 1024 * 1024;

/** Returns why a file is not read: a named pipe or a device may never end. The pipe of `<(command)` ends with its command. */
function refusalOf(file: string): string | undefined {
  const stats = statSync(file);
  const mayBlock = stats.isFIFO()
    ? !/^\/(?:dev|proc\/self)\/fd\/\d+$/.test(file)
    : stats.isCharacterDevice() && file !== '/dev/null';
  if (mayBlock) return 'not a regular file';
  return stats.size > MAX_BYTES ? 'larger than 64 MiB' : undefined;
}

export function readText(file: string, role = 'the kubeconfig names it'): string {
  try {
    const code = refusalOf(file);
    if (code !== undefined) throw Object.assign(new Error(), { code });
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const problem =
      code === 'ENOENT' ? 'no such file' : code === 'EACCES' ? 'permission denied' : code;
    throw new ClusterError('invalid', `${file}: ${problem ?? 'cannot be read'} (${role})`);
  }
}
