import { type Clock, type Random, seeded } from '../clock/clock.js';
import { Backoff } from '../kubelet/containers/backoff.js';
import { DEFAULT_BEHAVIOR, type ReleaseBehavior } from '../kubelet/release.js';
import { ApiServer, type ApiServerOptions } from './api-server.js';
import { syncDaemonSet } from './controllers/daemon-set.js';
import { syncDeployment } from './controllers/deployment.js';
import { budgetsOf, syncBudget } from './controllers/disruption.js';
import { type EndpointChange, Endpoints } from './controllers/endpoint-slice.js';
import {
  type ApiObject,
  type ApiPod,
  type DaemonSet,
  type Deployment,
  NO_STATUS,
  type PodDisruptionBudget,
  type ReplicaSet,
  type Service,
  type StatefulSet,
  type Strings,
  type Workload,
} from './controllers/objects.js';
import { isPodReady } from './controllers/pod-util.js';
import { syncReplicaSet } from './controllers/replica-set.js';
import { syncStatefulSet } from './controllers/stateful-set.js';
import type { SyncContext } from './controllers/sync-context.js';
import { DelayingQueue } from './delaying-queue.js';
import { Drain, workloadOf } from './drain.js';

export type { PodHost } from './api-server.js';

export type Change =
  /** Created, or changed; a deleted pod that terminates has its deletionTimestamp. */
  | { readonly kind: 'object'; readonly object: ApiObject }
  | { readonly kind: 'gone'; readonly object: ApiObject }
  | ({ readonly kind: 'endpoint' } & EndpointChange)
  | {
      readonly kind: 'event';
      readonly object: ApiObject;
      readonly reason: string;
      readonly message: string;
    };

interface ControlPlaneOptions extends Pick<ApiServerOptions, 'clock' | 'nodes' | 'pods'> {
  readonly random?: Random;
  readonly release?: ReleaseBehavior;
  readonly onChange?: (change: Change) => void;
}

/** An object as a user applies it, with the API's defaults. */
export type Applied = AppliedOf<Workload | Service | PodDisruptionBudget>;
type AppliedOf<T> = T extends { kind: string; spec: object }
  ? Manifest & Pick<T, 'kind' | 'spec'>
  : never;

interface Manifest {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels?: Strings;
    readonly annotations?: Strings;
  };
}

/** Runs the controllers on the clock, and applies the commands of users. */
export class ControlPlane {
  readonly api: ApiServer;
  readonly #clock: Clock;
  readonly #queue: DelayingQueue;
  readonly #endpoints: Endpoints;
  readonly #onPlaneChange: (change: Change) => void;
  readonly #release: ReleaseBehavior;
  /** Delays the deletion of failed pods of a DaemonSet (startDaemonSetController, cmd/kube-controller-manager). */
  readonly #failedPodsBackoff: Backoff;

  constructor({
    clock,
    nodes,
    pods,
    random = seeded(1),
    release = DEFAULT_BEHAVIOR,
    onChange = () => undefined,
  }: ControlPlaneOptions) {
    this.#clock = clock;
    this.#release = release;
    this.#onPlaneChange = onChange;
    this.#failedPodsBackoff = new Backoff(clock, 1000, 15 * 60 * 1000);
    this.#queue = new DelayingQueue(clock, (uid) => this.#sync(uid));
    this.#endpoints = new Endpoints((change) => onChange({ kind: 'endpoint', ...change }));
    this.api = new ApiServer({
      clock,
      nodes,
      pods,
      random,
      onChange: (object, before) => this.#onChange(object, before),
    });
  }

  /** Creates or updates an object, as `kubectl apply`. */
  apply(object: Applied): void {
    const { kind, spec, metadata } = object;
    const { name, namespace, labels = {}, annotations = {} } = metadata;
    const known = this.api.store.named(kind, namespace, name);
    if (known === undefined) {
      const draft = { ...object, metadata: { name, namespace, labels, annotations } };
      this.api.create(
        kind in NO_STATUS ? { ...draft, status: NO_STATUS[kind as keyof typeof NO_STATUS] } : draft,
      );
      return;
    }
    const merged = { ...known.metadata.annotations, ...annotations };
    const changed = { ...known.metadata, labels, annotations: merged };
    this.api.update({ ...known, spec, metadata: changed } as
      Workload | Service | PodDisruptionBudget);
  }

  /** Cordons a node and evicts its pods, as `kubectl drain --ignore-daemonsets`. */
  drain(node: string): Drain {
    const drain = new Drain(this.api, this.#clock, node);
    drain.start();
    return drain;
  }

  snapshot() {
    const { store } = this.api;
    const services = store.list('Service');
    return {
      workloads: [
        ...store.list('Deployment'),
        ...store.list('StatefulSet'),
        ...store.list('DaemonSet'),
      ],
      replicaSets: store.list('ReplicaSet'),
      pods: store.list('Pod'),
      endpoints: services.map((service) => ({
        service: service.metadata.name,
        endpoints: this.#endpoints.of(service),
      })),
    };
  }

  stop(): void {
    this.#queue.stop();
  }

  /** Enqueues the controllers that watch the object, as the informers' handlers do. */
  #onChange(object: ApiObject | undefined, before: ApiObject | undefined): void {
    const changed = object ?? before;
    if (changed === undefined) return;
    const { owner, uid } = changed.metadata;
    if (object !== undefined && changed.kind !== 'Pod') this.#queue.add(uid);
    const wasReady = before?.kind !== 'Pod' || isPodReady(before);
    if (object?.kind === 'Pod' && !wasReady) this.#requeueReady(object);
    if (owner !== undefined) this.#enqueueOwner(changed, owner.uid, object === undefined);
    this.#onPlaneChange({ kind: object === undefined ? 'gone' : 'object', object: changed });
    if (changed.kind !== 'Pod') return;
    this.#updateEndpoints(changed, object === undefined);
    const budgets = this.api.store.list('PodDisruptionBudget');
    for (const { metadata } of budgetsOf(changed, budgets)) this.#queue.add(metadata.uid);
  }

  /** Syncs the DaemonSet of a pod that has become ready once it is available (updatePod, daemon_controller.go). */
  #requeueReady(pod: ApiPod): void {
    const ds = this.api.store.get(pod.metadata.owner?.uid ?? '');
    if (ds?.kind !== 'DaemonSet' || ds.spec.minReadySeconds === 0 || !isPodReady(pod)) return;
    this.#queue.addAfter(ds.metadata.uid, (ds.spec.minReadySeconds + 1) * 1000);
  }

  #enqueueOwner({ kind }: ApiObject, owner: string, isGone: boolean): void {
    this.#queue.add(owner);
    // A Deployment with Recreate waits for the last old pod to be gone.
    const grandOwner = this.api.store.get(owner)?.metadata.owner?.uid;
    if (kind === 'Pod' && isGone && grandOwner !== undefined) this.#queue.add(grandOwner);
  }

  #updateEndpoints(pod: ApiPod, isGone: boolean): void {
    for (const service of this.api.store.list('Service')) {
      if (service.metadata.namespace === pod.metadata.namespace) {
        this.#endpoints.update(service, pod, isGone);
      }
    }
  }

  #sync(uid: string): void {
    const object = this.api.store.get(uid);
    switch (object?.kind) {
      case 'Deployment':
        return this.#syncDeployment(object);
      case 'ReplicaSet':
        return this.#syncReplicaSet(object);
      case 'StatefulSet':
        return syncStatefulSet({ ...this.#podSync(object), release: this.#release });
      case 'DaemonSet':
        return syncDaemonSet({
          ...this.#podSync(object),
          nodes: this.api.nodes.names,
          failedPodsBackoff: this.#failedPodsBackoff,
        });
      case 'Service':
        for (const pod of this.api.store.list('Pod')) this.#updateEndpoints(pod, false);
        return;
      case 'PodDisruptionBudget':
        return this.#syncBudget(object);
      case 'ControllerRevision':
      case 'Pod':
      case undefined:
    }
  }

  #syncBudget(budget: PodDisruptionBudget): void {
    const { store } = this.api;
    const pods = store.list('Pod').filter((pod) => budgetsOf(pod, [budget]).length > 0);
    const status = syncBudget(budget, pods, (pod) => workloadOf(store, pod));
    if (JSON.stringify(status) !== JSON.stringify(budget.status)) {
      this.api.updateStatus({ ...budget, status });
    }
  }

  #syncDeployment(deployment: Deployment): void {
    const replicaSets = this.api.store.ownedBy(deployment.metadata.uid, 'ReplicaSet');
    const pods = replicaSets.flatMap((rs) => this.#podsOf(rs));
    syncDeployment({
      ...this.#syncContext(),
      deployment,
      replicaSets,
      pods,
      event: (object, reason, message) =>
        this.#onPlaneChange({ kind: 'event', object, reason, message }),
    });
  }

  #syncReplicaSet(rs: ReplicaSet): void {
    const siblings = () => this.api.store.ownedBy(rs.metadata.owner?.uid ?? '', 'ReplicaSet');
    const relatedPods = () => siblings().flatMap((each) => this.#podsOf(each));
    syncReplicaSet({ rs, pods: this.#podsOf(rs), relatedPods, ...this.#syncContext() });
  }

  #podSync<Owner extends StatefulSet | DaemonSet>(owner: Owner) {
    const revisions = this.api.store.ownedBy(owner.metadata.uid, 'ControllerRevision');
    return { owner, revisions, pods: this.#podsOf(owner), ...this.#syncContext() };
  }

  #podsOf({ metadata }: ReplicaSet | StatefulSet | DaemonSet): readonly ApiPod[] {
    return this.api.store.ownedBy(metadata.uid, 'Pod');
  }

  #syncContext(): SyncContext {
    return {
      api: this.api,
      now: this.#clock.now(),
      enqueueAfter: ({ metadata }, delay) => this.#queue.addAfter(metadata.uid, delay),
    };
  }
}
