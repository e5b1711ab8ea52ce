import { computePodQOS, type PodStatus } from '../api/index.js';
import type { Clock, Random } from '../clock/clock.js';
import { podGracePeriod } from '../kubelet/containers/termination-grace-period.js';
import { ALPHANUMERICS } from './controllers/deployment-util.js';
import {
  type ApiObject,
  type ApiPod,
  type ControllerRevision,
  type Meta,
  metaTime,
  type PodDisruptionBudget,
  type PodTemplate,
  type ReplicaSet,
  type Workload,
} from './controllers/objects.js';
import { isPodTerminal } from './controllers/pod-util.js';

/** The nodes: simulated kubelets, or a script in a test. */
export interface PodHost {
  /** Called when the pod is bound to its node; the host reports its status with `podChanged`. */
  start(pod: ApiPod): void;
  /** Called when the pod has a deletionTimestamp; the host stops it and calls `podGone`. */
  terminate(pod: ApiPod, gracePeriodSeconds: number): void;
}

export interface ApiServerOptions {
  readonly clock: Clock;
  readonly nodes: readonly string[];
  readonly pods: PodHost;
  /** Source of names and UIDs. */
  readonly random: Random;
  readonly onChange: OnChange;
}

/** Called for each write; `object` is absent after a deletion. */
type OnChange = (object: ApiObject | undefined, before: ApiObject | undefined) => void;

/** An object as a client creates it. */
interface Draft {
  readonly kind: Exclude<ApiObject['kind'], 'Pod'>;
  readonly metadata: Omit<Meta, 'uid' | 'creationTimestamp' | 'generation'>;
}

interface PodDraft {
  readonly owner: Exclude<ApiObject, ApiPod>;
  readonly template: PodTemplate;
  /** Absent: the owner's name with random letters. */
  readonly name?: string;
  /** Absent: the scheduler chooses. */
  readonly nodeName?: string;
}

const HEX = '0123456789abcdef';

/** The API server and the scheduler: creates, updates, binds and deletes objects. */
export class ApiServer {
  readonly store: Store;
  readonly nodes: Nodes;
  #created = 0;

  constructor(private readonly options: ApiServerOptions) {
    this.store = new Store(options.onChange);
    this.nodes = new Nodes(options.nodes);
  }

  create<T extends Draft>(draft: T): T & { readonly metadata: Meta } {
    const object = { ...draft, metadata: this.#fill(draft.metadata) };
    this.store.put(object as unknown as ApiObject);
    return object;
  }

  createPod({ owner, template, name, nodeName = this.nodes.schedule() }: PodDraft): ApiPod {
    const { namespace } = owner.metadata;
    const { labels, annotations = {} } = template.metadata;
    const metadata = this.#fill({
      name: name ?? `${owner.metadata.name}-${this.#random(ALPHANUMERICS, 5)}`,
      namespace,
      labels,
      annotations,
      owner: { kind: owner.kind, name: owner.metadata.name, uid: owner.metadata.uid },
    });
    const { spec } = template;
    const status = { phase: 'Pending', qosClass: computePodQOS(spec) } as const;
    const pod = this.store.put<ApiPod>({ kind: 'Pod', metadata, spec, status });
    if (nodeName !== undefined) this.#bind(pod, nodeName);
    return pod;
  }

  /** Stores a changed spec, which is a new generation. */
  update<T extends Exclude<ApiObject, ApiPod | ControllerRevision>>(object: T): T {
    const { metadata, spec } = object;
    const before = this.store.get(metadata.uid) as T;
    const isSame = before.spec === spec || JSON.stringify(before.spec) === JSON.stringify(spec);
    const generation = before.metadata.generation + (isSame ? 0 : 1);
    return this.store.put({ ...object, metadata: { ...metadata, generation } });
  }

  /** Stores status and annotations, but not the spec. */
  updateStatus({ metadata, status }: Workload | ReplicaSet | PodDisruptionBudget): void {
    const current = this.store.get(metadata.uid);
    if (current === undefined) return;
    const { annotations } = metadata;
    const changed = { ...current, metadata: { ...current.metadata, annotations }, status };
    this.store.put(changed as ApiObject);
  }

  /** Deletes gracefully; a pod that is not bound or has ended is removed at once. */
  deletePod(pod: ApiPod): void {
    const current = this.store.get(pod.metadata.uid);
    if (current?.kind !== 'Pod' || current.metadata.deletionTimestamp !== undefined) return;
    if (!isBound(current) || isPodTerminal(current)) {
      this.remove(current);
      if (isBound(current)) this.options.pods.terminate(current, 0);
      return;
    }
    const grace = podGracePeriod(current);
    const deletionTimestamp = metaTime(this.options.clock.now() + grace * 1000);
    const deletion = { deletionTimestamp, deletionGracePeriodSeconds: grace };
    const deleted = { ...current, metadata: { ...current.metadata, ...deletion } };
    this.#putPod(current, deleted);
    this.options.pods.terminate(deleted, grace);
  }

  /** Stores the status that a kubelet reports, with times in whole seconds. */
  podChanged(uid: string, status: PodStatus): void {
    const pod = this.store.get(uid);
    if (pod?.kind !== 'Pod') return;
    const conditions = status.conditions?.map((condition) => {
      const { lastTransitionTime: time } = condition;
      return time === undefined ? condition : { ...condition, lastTransitionTime: metaTime(time) };
    });
    this.#putPod(pod, { ...pod, status: { ...status, ...(conditions && { conditions }) } });
  }

  podGone(uid: string): void {
    const pod = this.store.get(uid);
    if (pod !== undefined) this.remove(pod);
  }

  #bind(pod: ApiPod, nodeName: string): void {
    const bound = { ...pod, spec: { ...pod.spec, nodeName } };
    this.#putPod(pod, bound);
    this.options.pods.start(bound);
  }

  #putPod(before: ApiPod, pod: ApiPod): void {
    this.nodes.count(before, pod);
    this.store.put(pod);
  }

  remove(object: ApiObject): void {
    if (object.kind === 'Pod') this.nodes.count(object, undefined);
    const owned = this.store.ownedBy(object.metadata.uid, 'Pod');
    this.store.remove(object);
    for (const pod of owned) this.deletePod(pod); // the garbage collector
  }

  #fill(metadata: Omit<Meta, 'uid' | 'creationTimestamp' | 'generation'>): Meta {
    this.#created++;
    const serial = this.#created.toString(16).padStart(12, '0');
    const uid = `${this.#random(HEX, 8)}-0000-4000-8000-${serial}`;
    const creationTimestamp = metaTime(this.options.clock.now());
    return { ...metadata, uid, creationTimestamp, generation: 1 };
  }

  #random(letters: string, length: number): string {
    const { random } = this.options;
    const draw = (): string => letters.charAt(Math.floor(random() * letters.length));
    return Array.from({ length }, draw).join('');
  }
}

function isBound({ spec }: ApiPod): boolean {
  return (spec.nodeName ?? '') !== '';
}

class Nodes {
  readonly #pods: Map<string, number>;
  readonly #cordoned = new Set<string>();

  constructor(names: readonly string[]) {
    this.#pods = new Map(names.map((name) => [name, 0]));
  }

  get names(): readonly string[] {
    return [...this.#pods.keys()];
  }

  cordon(name: string): void {
    this.#cordoned.add(name);
  }

  /** Returns the node with the fewest pods; undefined when all are cordoned. */
  schedule(): string | undefined {
    let best: string | undefined;
    for (const [name, count] of this.#pods) {
      if (this.#cordoned.has(name)) continue;
      if (best === undefined || count < (this.#pods.get(best) ?? 0)) best = name;
    }
    return best;
  }

  /** Updates the counts for a change from one version of a pod to the next. */
  count(before: ApiPod | undefined, after: ApiPod | undefined): void {
    for (const [pod, by] of [[before, -1] as const, [after, 1] as const]) {
      const node = pod === undefined || isPodTerminal(pod) ? '' : (pod.spec.nodeName ?? '');
      if (node !== '') this.#pods.set(node, (this.#pods.get(node) ?? 0) + by);
    }
  }
}

type Kind = ApiObject['kind'];
type OfKind<K extends Kind> = Extract<ApiObject, { readonly kind: K }>;

export class Store {
  readonly #objects = new Map<string, ApiObject>();
  readonly #byKind = new Map<Kind, Map<string, ApiObject>>();
  /** Objects by the UID of their owner, then by UID. */
  readonly #owned = new Map<string, Map<string, ApiObject>>();

  constructor(private readonly onChange: OnChange) {}

  get(uid: string): ApiObject | undefined {
    return this.#objects.get(uid);
  }

  list<K extends Kind>(kind: K): readonly OfKind<K>[] {
    return [...(this.#byKind.get(kind)?.values() ?? [])] as unknown as readonly OfKind<K>[];
  }

  named<K extends Kind>(kind: K, namespace: string, name: string): OfKind<K> | undefined {
    return this.list(kind).find(
      ({ metadata }) => metadata.name === name && metadata.namespace === namespace,
    );
  }

  ownedBy<K extends Kind>(uid: string, kind: K): readonly OfKind<K>[] {
    const owned = [...(this.#owned.get(uid)?.values() ?? [])];
    return owned.filter((object) => object.kind === kind) as unknown as readonly OfKind<K>[];
  }

  put<T extends ApiObject>(object: T): T {
    const { uid, owner } = object.metadata;
    const before = this.#objects.get(uid);
    this.#objects.set(uid, object);
    indexed(this.#byKind, object.kind).set(uid, object);
    if (owner !== undefined) indexed(this.#owned, owner.uid).set(uid, object);
    this.onChange(object, before);
    return object;
  }

  remove(object: ApiObject): void {
    const { kind, metadata } = object;
    const { uid, owner } = metadata;
    this.#objects.delete(uid);
    this.#byKind.get(kind)?.delete(uid);
    if (owner !== undefined) this.#owned.get(owner.uid)?.delete(uid);
    this.#owned.delete(uid);
    this.onChange(undefined, object);
  }
}

function indexed<Key>(index: Map<Key, Map<string, ApiObject>>, key: Key): Map<string, ApiObject> {
  const objects = index.get(key) ?? new Map<string, ApiObject>();
  index.set(key, objects);
  return objects;
}
