import { omitUndefined } from '../../api/index.js';
import { rolloutState } from '../../cluster/observe/rollout.js';
import { RESOURCES } from '../../cluster/resources.js';
import type { Cluster, KubeObject, ResourceKind, Selection } from '../../cluster/types.js';
import { similarName } from '../../manifest/similar-name.js';
import type { LabelSelector } from '../../rollout/controllers/objects.js';
import type { Event } from '../../trace/event.js';
import type { PodSummary } from '../../trace/summary/summary.js';
import { UsageError } from '../../usage-error.js';

export interface WatchQuery extends Selection {
  readonly kind: ResourceKind;
}

/** The pods of a watch, their events, and the workload that they belong to. */
export interface WatchTarget {
  readonly pods: Selection;
  readonly events: Selection;
  readonly workload?: Workload;
  /** `pod web`, `pods of deployment web`, `pods of the namespace shop` */
  readonly text: string;
}

interface Workload {
  readonly kind: ResourceKind;
  readonly object: KubeObject;
}

/** Finds the objects that a watch follows; throws a UsageError when they do not exist, and a ClusterError. */
export async function watchTarget(
  cluster: Pick<Cluster, 'list'>,
  query: WatchQuery,
): Promise<WatchTarget> {
  const { kind, name, namespace, labelSelector, fieldSelector } = query;
  const place = omitUndefined({ namespace });
  const podEvents = 'involvedObject.kind=Pod';
  const events = { ...place, fieldSelector: podEvents };
  if (name === undefined) {
    const scope = namespace === undefined ? 'all namespaces' : `the namespace ${namespace}`;
    const subject = labelSelector === undefined ? 'pods' : `pods with ${labelSelector}`;
    const pods = omitUndefined({ namespace, labelSelector, fieldSelector });
    return { pods, events, text: `${subject} in ${scope}` };
  }
  const [object] = await cluster.list(kind, { ...place, name });
  if (object === undefined) throw new UsageError(await notFound(cluster, query, name));
  const text = `${singularOf(kind)} ${name}`;
  if (kind === 'pods') {
    const fields = `${podEvents},involvedObject.name=${name}`;
    return { pods: { ...place, name }, events: { ...place, fieldSelector: fields }, text };
  }
  const pods = { ...place, labelSelector: selectorOf(object) };
  return { pods, events, workload: { kind, object }, text: `pods of ${text}` };
}

/** Returns `deployment` for `deployments`. */
export function singularOf(kind: ResourceKind): string {
  return kind.slice(0, -1);
}

/** Kinds that a bare name may have meant. */
const WORKLOADS: readonly ResourceKind[] = ['deployments', 'statefulsets', 'daemonsets'];
const MAX_NAMES = 3;

/** Returns the error of an object that does not exist, with similar names. */
async function notFound(
  cluster: Pick<Cluster, 'list'>,
  { kind, namespace = '' }: WatchQuery,
  name: string,
): Promise<string> {
  const namesOf = async (of: ResourceKind): Promise<string[]> => {
    const objects = await cluster.list(of, { namespace }).catch(() => []);
    return objects.map(({ metadata }) => metadata.name);
  };
  const names = await namesOf(kind);
  const near = names.filter((other) => other.startsWith(`${name}-`)).slice(0, MAX_NAMES);
  const similar = near.length > 0 ? near : [similarName(name, names) ?? []].flat();
  const others = kind === 'pods' ? WORKLOADS : [];
  const same = await Promise.all(
    others.map(async (of) =>
      (await namesOf(of)).includes(name) ? [`${singularOf(of)}/${name}`] : [],
    ),
  );
  const meant = [...same.flat(), ...similar];
  const hint = meant.length === 0 ? '' : `; did you mean ${meant.join(', ')}?`;
  return `no ${singularOf(kind)} "${name}" in the namespace ${namespace}${hint}`;
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

/** Milliseconds between two events that differ in their times only. */
const PERIOD = 5_000;

/** The workload of a watch: the pods that belong to it, and its rollout. */
export class WatchedWorkload {
  readonly kind: Workload['kind'];
  object: KubeObject;
  /** ReplicaSets of the namespace, by UID. */
  readonly replicaSets = new Map<string, KubeObject>();
  #isDeleted = false;
  #reported = { stable: '', at: -Infinity };

  constructor({ kind, object }: Workload) {
    this.kind = kind;
    this.object = object;
  }

  changed(object: KubeObject): void {
    this.object = object;
    this.#isDeleted = false;
  }

  deleted(): void {
    this.#isDeleted = true;
  }

  /** Returns false for a pod that another workload controls. */
  owns(pod: KubeObject): boolean {
    const owner = controllerOf(pod);
    if (this.kind !== 'deployments') return owner?.uid === this.object.metadata.uid;
    const replicaSet = this.replicaSets.get(owner?.uid ?? '');
    // A new ReplicaSet may come after its pods.
    return replicaSet === undefined ? owner?.kind === 'ReplicaSet' : this.#ownsSet(replicaSet);
  }

  /** Returns the state of the rollout when it has changed, or its times have for a while. */
  rollout(pods: readonly PodSummary[], now: number, t: number): Event | undefined {
    const replicaSets = [...this.replicaSets.values()].filter((set) => this.#ownsSet(set));
    const { kind } = RESOURCES[this.kind];
    const { event, stable } = rolloutState({
      workload: this.object,
      kind,
      isDeleted: this.#isDeleted,
      replicaSets,
      pods,
      now,
      t,
    });
    const isOld = !event.done && !event.failed && now - this.#reported.at >= PERIOD;
    const isSame = stable === this.#reported.stable;
    if (isSame && !isOld) return undefined;
    this.#reported = { stable, at: now };
    return isSame ? { ...event, onlyTimes: true } : event;
  }

  #ownsSet(replicaSet: KubeObject): boolean {
    return controllerOf(replicaSet)?.uid === this.object.metadata.uid;
  }
}

/** Returns the owner that controls an object. */
export function controllerOf({ metadata: { ownerReferences = [] } }: KubeObject) {
  return ownerReferences.find(({ controller }) => controller === true);
}
