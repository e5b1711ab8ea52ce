import { type Clock, goLater, type Timer } from '../clock/clock.js';
import type { ApiServer, Store } from './api-server.js';
import { evict } from './controllers/disruption.js';
import type { ApiPod, Workload } from './controllers/objects.js';

/** Milliseconds until a refused eviction is tried again (EvictErrorRetryDelay, k8s.io/kubectl/pkg/drain). */
const RETRY_DELAY = 5000;

/** A drain of a node. Ports evictPods (k8s.io/kubectl/pkg/drain/drain.go). */
export class Drain {
  refused = 0;
  error: string | undefined;
  readonly #timers = new Set<Timer>();

  constructor(
    private readonly api: ApiServer,
    private readonly clock: Clock,
    readonly node: string,
  ) {}

  start(): void {
    this.api.nodes.cordon(this.node);
    for (const pod of this.pods) this.clock.go(() => this.#evict(pod.metadata.uid));
  }

  stop(): void {
    for (const timer of this.#timers) timer.cancel();
  }

  /** Pods on the node, without those of DaemonSets. */
  get pods(): readonly ApiPod[] {
    return this.api.store
      .list('Pod')
      .filter(
        ({ spec, metadata }) => spec.nodeName === this.node && metadata.owner?.kind !== 'DaemonSet',
      );
  }

  #evict(uid: string): void {
    const pod = this.api.store.get(uid);
    if (pod?.kind !== 'Pod') return;
    const { error, spent } = evict(pod, this.api.store.list('PodDisruptionBudget'));
    if (error === undefined) {
      if (spent !== undefined) this.api.updateStatus(spent);
      this.api.deletePod(pod);
      return;
    }
    this.refused++;
    this.error = error;
    const timer = goLater(
      this.clock,
      () => {
        this.#timers.delete(timer);
        this.#evict(uid);
      },
      RETRY_DELAY,
    );
    this.#timers.add(timer);
  }
}

/** Ports getPodDeployment, getPodStatefulSet and getScaleController (pkg/controller/disruption/disruption.go). */
export function workloadOf(store: Store, { metadata }: ApiPod): Workload | undefined {
  const owner = store.get(metadata.owner?.uid ?? '');
  const workload =
    owner?.kind === 'ReplicaSet' ? store.get(owner.metadata.owner?.uid ?? '') : owner;
  const { kind } = workload ?? {};
  return kind === 'Deployment' || kind === 'StatefulSet' ? (workload as Workload) : undefined;
}
