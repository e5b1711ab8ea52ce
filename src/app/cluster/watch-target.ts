import { present } from '../../api/index.js';
import type { Cluster, KubeObject, ResourceKind, Selection } from '../../cluster/types.js';
import { suggest } from '../../manifest/suggest.js';
import type { LabelSelector } from '../../rollout/controllers/objects.js';
import { UsageError } from '../usage-error.js';

/** The words of a `kprobe watch` command line. */
export interface WatchWords {
  readonly kind: ResourceKind;
  readonly name?: string | undefined;
  /** All namespaces when absent. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

/** The pods of a watch, their events, and the workload that they belong to. */
export interface WatchTarget {
  readonly pods: Selection;
  readonly events: Selection;
  readonly workload?: Workload;
  /** `pod web`, `deployment web`, `pods of the namespace shop` */
  readonly text: string;
}

export interface Workload {
  readonly kind: ResourceKind;
  readonly object: KubeObject;
}

/** Finds what a watch is to follow; throws a UsageError when it is not there, and a ClusterError. */
export async function watchTarget(
  cluster: Pick<Cluster, 'list'>,
  words: WatchWords,
): Promise<WatchTarget> {
  const { kind, name, namespace, labelSelector, fieldSelector } = words;
  const place = present({ namespace });
  const about = 'involvedObject.kind=Pod';
  const events = { ...place, fieldSelector: about };
  if (name === undefined) {
    const where = namespace === undefined ? 'all namespaces' : `the namespace ${namespace}`;
    const which = labelSelector === undefined ? 'pods' : `pods with ${labelSelector}`;
    const pods = present({ namespace, labelSelector, fieldSelector });
    return { pods, events, text: `${which} in ${where}` };
  }
  const [object] = await cluster.list(kind, { ...place, name });
  if (object === undefined) throw new UsageError(await notFound(cluster, words, name));
  const text = `${wordOf(kind)} ${name}`;
  if (kind === 'pods') {
    const fields = `${about},involvedObject.name=${name}`;
    return { pods: { ...place, name }, events: { ...place, fieldSelector: fields }, text };
  }
  const pods = { ...place, labelSelector: selectorOf(object) };
  return { pods, events, workload: { kind, object }, text };
}

/** Returns `deployment` for `deployments`. */
export function wordOf(kind: ResourceKind): string {
  return kind.slice(0, -1);
}

/** Kinds that a bare name may have meant. */
const WORKLOADS: readonly ResourceKind[] = ['deployments', 'statefulsets', 'daemonsets'];
const MAX_NAMES = 3;

/** Returns the sentence about an object that is not there, with the names that come near. */
async function notFound(
  cluster: Pick<Cluster, 'list'>,
  { kind, namespace = '' }: WatchWords,
  name: string,
): Promise<string> {
  const namesOf = async (of: ResourceKind): Promise<string[]> => {
    const objects = await cluster.list(of, { namespace }).catch(() => []);
    return objects.map(({ metadata }) => metadata.name);
  };
  const names = await namesOf(kind);
  const near = names.filter((one) => one.startsWith(`${name}-`)).slice(0, MAX_NAMES);
  const similar = near.length > 0 ? near : [suggest(name, names) ?? []].flat();
  const others = kind === 'pods' ? WORKLOADS : [];
  const same = await Promise.all(
    others.map(async (of) => ((await namesOf(of)).includes(name) ? [`${wordOf(of)}/${name}`] : [])),
  );
  const meant = [...same.flat(), ...similar];
  const hint = meant.length === 0 ? '' : `; did you mean ${meant.join(', ')}?`;
  return `no ${wordOf(kind)} "${name}" in the namespace ${namespace}${hint}`;
}

/** Returns the label selector of a workload's pods, as a query has it. */
function selectorOf(workload: KubeObject): string {
  const { selector = {} } = (workload['spec'] ?? {}) as { readonly selector?: LabelSelector };
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return [
    ...Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`),
    ...matchExpressions.map(({ key = '', operator, values = [] }) => {
      if (operator === 'Exists') return key;
      if (operator === 'DoesNotExist') return `!${key}`;
      return `${key} ${operator === 'In' ? 'in' : 'notin'} (${values.join(',')})`;
    }),
  ].join(',');
}
