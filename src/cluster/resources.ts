import { ClusterError } from './cluster-error.js';

interface Resource {
  readonly kind: string;
  readonly group: string;
  readonly version: string;
  /** Other names, as `kubectl api-resources` lists them. */
  readonly words: readonly string[];
  readonly clusterWide?: boolean;
}

const core = { group: '', version: 'v1' };
const apps = { group: 'apps', version: 'v1' };
const batch = { group: 'batch', version: 'v1' };

const KINDS = {
  pods: { ...core, kind: 'Pod', words: ['pod', 'po'] },
  events: { ...core, kind: 'Event', words: ['event', 'ev'] },
  nodes: { ...core, kind: 'Node', words: ['node', 'no'], clusterWide: true },
  namespaces: { ...core, kind: 'Namespace', words: ['namespace', 'ns'], clusterWide: true },
  replicationcontrollers: {
    ...core,
    kind: 'ReplicationController',
    words: ['replicationcontroller', 'rc'],
  },
  deployments: { ...apps, kind: 'Deployment', words: ['deployment', 'deploy'] },
  replicasets: { ...apps, kind: 'ReplicaSet', words: ['replicaset', 'rs'] },
  statefulsets: { ...apps, kind: 'StatefulSet', words: ['statefulset', 'sts'] },
  daemonsets: { ...apps, kind: 'DaemonSet', words: ['daemonset', 'ds'] },
  endpointslices: {
    ...{ group: 'discovery.k8s.io', version: 'v1' },
    ...{ kind: 'EndpointSlice', words: ['endpointslice'] },
  },
  jobs: { ...batch, kind: 'Job', words: ['job'] },
  cronjobs: { ...batch, kind: 'CronJob', words: ['cronjob', 'cj'] },
} satisfies Readonly<Record<string, Resource>>;

export type ResourceKind = keyof typeof KINDS;

export const RESOURCES: Readonly<Record<ResourceKind, Resource>> = KINDS;

export function isClusterWide(resource: string): boolean {
  return (
    Object.hasOwn(RESOURCES, resource) && RESOURCES[resource as ResourceKind].clusterWide === true
  );
}

export function resourcePath(
  kind: ResourceKind,
  { namespace, name }: { readonly namespace?: string | undefined; readonly name?: string },
): string {
  const { group, version, clusterWide } = RESOURCES[kind];
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const within =
    namespace === undefined || clusterWide === true
      ? ''
      : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}${within}/${kind}${name === undefined ? '' : `/${encodeURIComponent(name)}`}`;
}

/** Reads a resource in kubectl's words: `pod/web`, `deploy/web`, `deployments.v1.apps/web`, `po web`. Throws a ClusterError. */
export function parseResource(words: readonly string[]): { kind: ResourceKind; name?: string } {
  const [first = '', ...rest] = words;
  const [word = '', ...names] = first.includes('/') ? first.split('/') : words;
  const kind = kindOf(word.toLowerCase());
  if (kind === undefined) {
    const hint = first.includes('/') || rest.length > 0 ? '' : `; for a pod, write pod/${first}`;
    const known = Object.values(RESOURCES).map((resource) => resource.words[0]);
    throw new ClusterError(
      'invalid',
      `unknown resource type "${word}" (${known.join(', ')})${hint}`,
    );
  }
  const [name] = names;
  if (name === undefined) return { kind };
  if (name === '' || names.length > 1 || (first.includes('/') && rest.length > 0)) {
    throw new ClusterError('invalid', `"${words.join(' ')}": write TYPE/NAME, such as pod/web`);
  }
  return { kind, name };
}

/** Finds `deploy`, `deployments`, `Deployment`, `deployment.apps` or `deployments.v1.apps`. */
function kindOf(text: string): ResourceKind | undefined {
  const [word = '', ...suffix] = text.split('.');
  return (Object.keys(RESOURCES) as ResourceKind[]).find((kind) => {
    const { words, group, version } = RESOURCES[kind];
    const suffixes = ['', group, `${version}.${group}`];
    return (kind === word || words.includes(word)) && suffixes.includes(suffix.join('.'));
  });
}
