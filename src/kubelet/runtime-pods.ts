import type { Pod } from '../api/index.js';
import {
  type ContainerConfig,
  type RuntimeContainerState,
  type RuntimeContainerStatus,
  RuntimeError,
  type RuntimePod,
  type RuntimePodStatus,
  type RuntimeSandboxState,
} from './ports.js';

interface RecordedContainer {
  readonly id: string;
  readonly config: ContainerConfig;
  readonly state: RuntimeContainerState;
  status(): RuntimeContainerStatus;
}

interface Sandbox {
  readonly id: string;
  readonly pod: Pod;
  readonly attempt: number;
  state: RuntimeSandboxState;
}

interface Records<C> {
  /** Both newest first. */
  readonly sandboxes: Sandbox[];
  readonly containers: C[];
}

/** The sandboxes and containers that a runtime itself keeps, by their pods. */
export class RuntimePods<C extends RecordedContainer> {
  readonly #pods = new Map<string, Records<C>>();
  readonly #sandboxes = new Map<string, Sandbox>();
  readonly #containers = new Map<string, C>();
  #nextID = 0;

  get containers(): readonly C[] {
    return [...this.#containers.values()];
  }

  newID(prefix: string): string {
    return `${prefix}-${this.#nextID++}`;
  }

  /** Returns the id of a new sandbox. */
  addSandbox(pod: Pod, attempt: number): string {
    const id = this.newID('sandbox');
    const sandbox: Sandbox = { id, pod, attempt, state: 'ready' };
    this.#sandboxes.set(id, sandbox);
    this.#of(pod.metadata.uid).sandboxes.unshift(sandbox);
    return id;
  }

  latestSandbox(uid: string): string | undefined {
    return this.#of(uid).sandboxes[0]?.id;
  }

  /** Marks a sandbox as stopped; returns its containers. */
  stopSandbox(id: string): readonly C[] {
    const sandbox = this.#sandboxes.get(id);
    if (sandbox === undefined) return [];
    sandbox.state = 'notReady';
    const { containers } = this.#of(sandbox.pod.metadata.uid);
    return containers.filter(({ config }) => config.sandboxID === id);
  }

  removeSandbox(id: string): void {
    const sandbox = this.#sandboxes.get(id);
    if (sandbox === undefined) return;
    this.#sandboxes.delete(id);
    remove(this.#of(sandbox.pod.metadata.uid).sandboxes, sandbox);
  }

  add(container: C): void {
    this.#containers.set(container.id, container);
    this.#of(container.config.pod.metadata.uid).containers.unshift(container);
  }

  find(id: string): C | undefined {
    return this.#containers.get(id);
  }

  /** Returns a container; throws a RuntimeError where there is none. */
  get(id: string): C {
    const container = this.find(id);
    if (container === undefined) throw new RuntimeError(`container ${id} not found`, 'notFound');
    return container;
  }

  remove(id: string): void {
    const container = this.find(id);
    if (container === undefined) return;
    this.#containers.delete(id);
    remove(this.#of(container.config.pod.metadata.uid).containers, container);
  }

  /** Lists a pod, or all of them. */
  list(uid?: string): readonly RuntimePod[] {
    const uids = uid === undefined ? [...this.#pods.keys()] : [uid];
    return uids.flatMap((each) => {
      const { sandboxes, containers } = this.#of(each);
      if (sandboxes.length + containers.length === 0) return [];
      return {
        uid: each,
        containers: containers.map(({ id, state, config: { container, sandboxID } }) => {
          return { id, state, name: container.name, sandboxID };
        }),
        sandboxes: sandboxes.map(({ id, state }) => ({ id, state })),
      };
    });
  }

  /** Returns the status of a pod with these addresses. */
  status(uid: string, ips: readonly string[]): RuntimePodStatus {
    const { sandboxes, containers } = this.#of(uid);
    return {
      uid,
      ips: sandboxes[0]?.state === 'ready' ? ips : [],
      sandboxStatuses: sandboxes.map(({ id, pod, attempt, state }) => {
        return { id, state, attempt, hostNetwork: pod.spec.hostNetwork ?? false, ips };
      }),
      containerStatuses: containers.map((container) => container.status()),
    };
  }

  #of(uid: string): Records<C> {
    const records = this.#pods.get(uid) ?? { sandboxes: [], containers: [] };
    this.#pods.set(uid, records);
    return records;
  }
}

function remove<T>(list: T[], item: T): void {
  const index = list.indexOf(item);
  if (index >= 0) list.splice(index, 1);
}

/** Returns the status of a container; `run` has the fields that its run determines. */
export function statusOf(
  { id, config, state }: Omit<RecordedContainer, 'status'>,
  run: Partial<RuntimeContainerStatus>,
): RuntimeContainerStatus {
  const { container, sandboxID, imageRef, hash, restartCount } = config;
  const { name, image } = container;
  const base = { id, name, state, sandboxID, image, imageRef, hash, restartCount };
  return { ...base, exitCode: 0, reason: '', message: '', ...run };
}
