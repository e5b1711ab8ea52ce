import { ownField } from '../api/index.js';
import { ClusterError } from './cluster-error.js';

const core = { group: '', version: 'v1', clusterWide: false };
const apps = { ...core, group: 'apps' };
const discovery = { ...core, group: 'discovery.k8s.io' };
const batch = { ...core, group: 'batch' };

/** Kinds by the names of their resources; `words` are the other names, as `kubectl api-resources` lists them. */
export const RESOURCES = {
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
  endpointslices: { ...discovery, kind: 'EndpointSlice', words: ['endpointslice'] },
  jobs: { ...batch, kind: 'Job', words: ['job'] },
  cronjobs: { ...batch, kind: 'CronJob', words: ['cronjob', 'cj'] },
};

export type ResourceKind = keyof typeof RESOURCES;

export function isClusterWide(resource: string): boolean {
  return ownField(RESOURCES, resource)?.clusterWide === true;
}

export function resourcePath(
  kind: ResourceKind,
  { namespace, name }: { readonly namespace?: string | undefined; readonly name?: string },
): string {
  const { group, version, clusterWide } = RESOURCES[kind];
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const isNamed = namespace !== undefined && !clusterWide;
  const within = isNamed ? `/namespaces/${encodeURIComponent(namespace)}` : '';
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
    const text = `unknown resource type "${word}" (${known.join(', ')})${hint}`;
    throw new ClusterError('invalid', text);
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
