import { controllerOf, omitUndefined } from '../../api/index.js';
import { missingNamespace } from '../../cluster/client/cluster.js';
import { type ClusterEvent, readClusterEvent } from '../../cluster/observe/decode-objects.js';
import { rolloutState } from '../../cluster/observe/rollout.js';
import { RESOURCES } from '../../cluster/resources.js';
import type { Cluster, KubeObject, ResourceKind, Selection } from '../../cluster/types.js';
import { similarName } from '../../manifest/similar-name.js';
import type { LabelSelector } from '../../rollout/controllers/objects.js';
import type { Event } from '../../trace/event.js';
import type { PodSummary } from '../../trace/summary/summary.js';
import { UsageError } from '../../usage-error.js';

export interface WatchQuery extends Omit<Selection, 'name'> {
  /** Pods and workloads; without any, all pods of the selection. */
  readonly resources: readonly NamedResource[];
}

export interface NamedResource {
  readonly kind: ResourceKind;
  readonly name: string;
}

/** The pods of a watch with the workloads that they belong to, and their events. */
export interface WatchTarget {
  readonly parts: readonly WatchPart[];
  readonly events: Selection;
}

interface WatchPart {
  readonly pods: Selection;
  readonly workload?: Workload;
  /** `pod web`, `pods of deployment web`, `pods of the namespace shop` */
  readonly text: string;
}

interface Workload {
  readonly kind: ResourceKind;
  readonly object: KubeObject;
}

const POD_EVENTS = 'involvedObject.kind=Pod';

/** Finds the objects that a watch follows; throws a UsageError when they do not exist, and a ClusterError. */
export async function watchTarget(
  cluster: Pick<Cluster, 'list' | 'get'>,
  query: WatchQuery,
): Promise<WatchTarget> {
  const { resources, namespace, labelSelector, fieldSelector } = query;
  const place = omitUndefined({ namespace });
  const events = { ...place, fieldSelector: POD_EVENTS };
  const [first, ...others] = resources;
  if (first === undefined) {
    const scope = namespace === undefined ? 'all namespaces' : `the namespace ${namespace}`;
    const subject = labelSelector === undefined ? 'pods' : `pods with ${labelSelector}`;
    const pods = omitUndefined({ namespace, labelSelector, fieldSelector });
    return { parts: [{ pods, text: `${subject} in ${scope}` }], events };
  }
  const parts = await Promise.all(
    resources.map(async (resource): Promise<WatchPart> => {
      const [named] = await cluster.list(resource.kind, { ...place, name: resource.name });
      if (named === undefined) throw new UsageError(await notFound(cluster, resource, place));
      const isCron = resource.kind === 'cronjobs';
      const kind = isCron ? 'jobs' : resource.kind;
      const object = isCron ? await newestJob(cluster, named, place) : named;
      const { name } = object.metadata;
      const text = `${singularOf(kind)} ${name}`;
      if (kind === 'pods') return { pods: { ...place, name }, text };
      const pods = { ...place, labelSelector: selectorOf(object) };
      return { pods, workload: { kind, object }, text: `pods of ${text}` };
    }),
  );
  if (first.kind !== 'pods' || others.length > 0) return { parts, events };
  const fields = `${POD_EVENTS},involvedObject.name=${first.name}`;
  return { parts, events: { ...place, fieldSelector: fields } };
}

/** Returns the job that a CronJob has made last; throws a UsageError where there is none. */
async function newestJob(
  cluster: Pick<Cluster, 'list'>,
  { metadata: { uid, name } }: KubeObject,
  place: Pick<Selection, 'namespace'>,
): Promise<KubeObject> {
  const jobs = await cluster.list('jobs', place);
  const madeAt = ({ metadata }: KubeObject): string => metadata.creationTimestamp ?? '';
  const newest = jobs
    .filter(({ metadata }) => controllerOf(metadata)?.uid === uid)
    .sort((a, b) => madeAt(a).localeCompare(madeAt(b)))
    .at(-1);
  if (newest === undefined) throw new UsageError(`cronjob "${name}" has made no job that is there`);
  return newest;
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
  cluster: Pick<Cluster, 'list' | 'get'>,
  { kind, name }: NamedResource,
  { namespace = '' }: Pick<Selection, 'namespace'>,
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
  const missing = meant.length === 0 ? await missingNamespace(cluster, namespace) : undefined;
  if (missing !== undefined) return missing.message;
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

/** Objects of a namespace that its workloads share, by UID. */
export interface SharedObjects {
  readonly replicasets: Map<string, KubeObject>;
  readonly endpointslices: Map<string, KubeObject>;
}

/** A workload of a watch: the pods that belong to it, and its rollout. */
export class WatchedWorkload {
  readonly kind: Workload['kind'];
  object: KubeObject;
  #failedCreate: ClusterEvent | undefined;
  #isDeleted = false;
  #reported = { stable: '', at: -Infinity };

  constructor(
    { kind, object }: Workload,
    private readonly shared: SharedObjects,
  ) {
    this.kind = kind;
    this.object = object;
  }

  changed(object: KubeObject): void {
    this.object = object;
    this.#isDeleted = false;
  }

  get isReported(): boolean {
    return this.#reported.at > -Infinity;
  }

  /** Takes an event about a pod that could not be created. */
  readonly failedCreate = (event: KubeObject): void => {
    const read = readClusterEvent(event);
    const { lastAt = 0 } = this.#failedCreate ?? {};
    if ((read.lastAt ?? 0) >= lastAt) this.#failedCreate = read;
  };

  deleted(): void {
    this.#isDeleted = true;
  }

  /** Returns false for a pod that another workload controls. */
  owns(pod: KubeObject): boolean {
    const owner = controllerOf(pod.metadata);
    if (this.kind !== 'deployments') return owner?.uid === this.object.metadata.uid;
    const replicaSet = this.shared.replicasets.get(owner?.uid ?? '');
    // A new ReplicaSet may come after its pods.
    return replicaSet === undefined ? owner?.kind === 'ReplicaSet' : this.#ownsSet(replicaSet);
  }

  /** Returns the state of the rollout when it has changed, or when only its times have changed for some seconds. */
  rollout(pods: readonly PodSummary[], now: number, t: number): Event | undefined {
    const { replicasets, endpointslices } = this.shared;
    const replicaSets = [...replicasets.values()].filter((set) => this.#ownsSet(set));
    const { kind } = RESOURCES[this.kind];
    const { event, stable } = rolloutState({
      workload: this.object,
      kind,
      isDeleted: this.#isDeleted,
      replicaSets,
      endpointSlices: [...endpointslices.values()],
      pods,
      failedCreate: this.#failedCreate,
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
    return controllerOf(replicaSet.metadata)?.uid === this.object.metadata.uid;
  }
}
