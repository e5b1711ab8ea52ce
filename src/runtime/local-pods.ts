import type { Pod } from '../api/index.js';
import type { RuntimePod, RuntimePodStatus, RuntimeSandboxStatus } from '../kubelet/ports.js';
import type { LocalContainer } from './local-container.js';

/** All pods of a runtime that have a sandbox or a container. */
export class LocalPods {
  readonly #pods = new Map<string, LocalPod>();
  readonly #containers = new Map<string, LocalContainer>();
  #listing: readonly RuntimePod[] | undefined;

  list(): readonly RuntimePod[] {
    this.#listing ??= [...this.#pods.values()].map((pod) => pod.listing());
    return this.#listing;
  }

  get(uid: string): LocalPod | undefined {
    return this.#pods.get(uid);
  }

  containers(): readonly LocalContainer[] {
    return [...this.#containers.values()];
  }

  findContainer(id: string): LocalContainer | undefined {
    return this.#containers.get(id);
  }

  findSandbox(id: string): LocalSandbox | undefined {
    return [...this.#pods.values()]
      .flatMap(({ sandboxes }) => sandboxes)
      .find((sandbox) => sandbox.id === id);
  }

  addSandbox(sandbox: LocalSandbox): void {
    this.#ensure(sandbox.pod).sandboxes.unshift(sandbox);
    this.changed(sandbox.pod);
  }

  addContainer(container: LocalContainer): void {
    const { pod } = container.config;
    this.#containers.set(container.id, container);
    this.#ensure(pod).containers.unshift(container);
    this.changed(pod);
  }

  removeSandbox(sandbox: LocalSandbox): void {
    remove(this.#pods.get(sandbox.pod.metadata.uid)?.sandboxes, sandbox);
    this.changed(sandbox.pod);
  }

  removeContainer(container: LocalContainer): void {
    const { pod } = container.config;
    this.#containers.delete(container.id);
    remove(this.#pods.get(pod.metadata.uid)?.containers, container);
    this.changed(pod);
  }

  /** Invalidates the listings of this pod and of all pods. */
  changed({ metadata: { uid } }: Pod): void {
    const pod = this.#pods.get(uid);
    if (pod?.isEmpty === true) this.#pods.delete(uid);
    pod?.changed();
    this.#listing = undefined;
  }

  #ensure(pod: Pod): LocalPod {
    const known = this.#pods.get(pod.metadata.uid) ?? new LocalPod(pod);
    this.#pods.set(pod.metadata.uid, known);
    return known;
  }
}

function remove<T>(list: T[] = [], item: T): void {
  const index = list.indexOf(item);
  if (index !== -1) list.splice(index, 1);
}

export interface LocalSandbox {
  readonly id: string;
  readonly pod: Pod;
  readonly attempt: number;
  readonly ips: readonly string[];
  ready: boolean;
}

/** The sandboxes and containers of one pod, newest first. */
export class LocalPod {
  readonly #pod: Pod;
  readonly sandboxes: LocalSandbox[] = [];
  readonly containers: LocalContainer[] = [];
  #listing: RuntimePod | undefined;

  constructor(pod: Pod) {
    this.#pod = pod;
  }

  get isEmpty(): boolean {
    return this.sandboxes.length === 0 && this.containers.length === 0;
  }

  /** Invalidates the listing, which is otherwise the same object each time. */
  changed(): void {
    this.#listing = undefined;
  }

  listing(): RuntimePod {
    const { uid, name, namespace } = this.#pod.metadata;
    this.#listing ??= {
      uid,
      name,
      namespace,
      containers: this.containers.map(({ id, state, config: { container, sandboxID } }) => ({
        id,
        state,
        name: container.name,
        sandboxID,
      })),
      sandboxes: this.sandboxes.map(({ id, ready }) => ({
        id,
        state: ready ? 'ready' : 'notReady',
      })),
    };
    return this.#listing;
  }

  status(): RuntimePodStatus {
    const sandboxStatuses = this.sandboxes.map(sandboxStatus);
    const [latest] = sandboxStatuses;
    return {
      uid: this.#pod.metadata.uid,
      ips: latest?.state === 'ready' ? latest.ips : [],
      sandboxStatuses,
      containerStatuses: this.containers.map((container) => container.status()),
    };
  }
}

function sandboxStatus({ id, pod, attempt, ips, ready }: LocalSandbox): RuntimeSandboxStatus {
  const hostNetwork = pod.spec.hostNetwork ?? false;
  return { id, state: ready ? 'ready' : 'notReady', attempt, hostNetwork, ips };
}
