import { rolloutState } from '../../cluster/observe/rollout.js';
import { RESOURCES } from '../../cluster/resources.js';
import type { KubeObject, ReflectHandler } from '../../cluster/types.js';
import type { Event } from '../../kubelet/event.js';
import type { PodSummary } from '../../trace/summary/summary.js';
import type { Workload } from './watch-target.js';

export type Changes = Pick<ReflectHandler, 'upsert' | 'remove'>;

/** Milliseconds between two events that differ in their times only. */
const PERIOD = 5_000;

/** The workload of a watch: the pods that belong to it, and its rollout. */
export class WatchedWorkload {
  readonly kind: Workload['kind'];
  #object: KubeObject;
  readonly #replicaSets = new Map<string, KubeObject>();
  #told = { stable: '', at: -Infinity };

  constructor({ kind, object }: Workload) {
    this.kind = kind;
    this.#object = object;
  }

  readonly changes: Pick<Changes, 'upsert'> = {
    upsert: (object) => {
      this.#object = object;
    },
  };

  readonly replicaSetChanges: Changes = {
    upsert: (object) => void this.#replicaSets.set(object.metadata.uid, object),
    remove: ({ metadata }) => void this.#replicaSets.delete(metadata.uid),
  };

  /** Returns false for a pod that another workload controls. */
  owns(pod: KubeObject): boolean {
    const owner = controllerOf(pod);
    if (this.kind !== 'deployments') return owner?.uid === this.#object.metadata.uid;
    const replicaSet = this.#replicaSets.get(owner?.uid ?? '');
    // A new ReplicaSet may come after its pods.
    return replicaSet === undefined ? owner?.kind === 'ReplicaSet' : this.#ownsSet(replicaSet);
  }

  /** Returns the state of the rollout when it has changed, or its times have for a while. */
  rollout(pods: readonly PodSummary[], now: number, t: number): Event | undefined {
    const replicaSets = [...this.#replicaSets.values()].filter((one) => this.#ownsSet(one));
    const { kind } = RESOURCES[this.kind];
    const { event, stable } = rolloutState({
      workload: this.#object,
      kind,
      replicaSets,
      pods,
      now,
      t,
    });
    const isOld = !event.done && now - this.#told.at >= PERIOD;
    if (stable === this.#told.stable && !isOld) return undefined;
    this.#told = { stable, at: now };
    return event;
  }

  #ownsSet(replicaSet: KubeObject): boolean {
    return controllerOf(replicaSet)?.uid === this.#object.metadata.uid;
  }
}

function controllerOf({ metadata: { ownerReferences = [] } }: KubeObject) {
  return ownerReferences.find(({ controller }) => controller === true);
}
