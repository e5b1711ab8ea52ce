import type { Clock } from '../../clock/clock.js';
import { Ticker } from '../../clock/ticker.js';
import type { Runtime, RuntimeContainer, RuntimePodStatus } from '../ports.js';
import { messageOf } from '../sync-result.js';
import { MINIMUM_GRACE_PERIOD } from './container-to-kill.js';

/** Milliseconds between two collections (ContainerGCPeriod). */
const GC_PERIOD = 60_000;
/** Exited containers of one name that are kept for inspection. */
const CONTAINERS_TO_KEEP = 1;

export interface ContainerGCOptions {
  readonly clock: Clock;
  readonly runtime: Runtime;
  readonly shouldPodContentBeRemoved: (uid: string) => boolean;
}

export class ContainerGC {
  #ticker: Ticker | undefined;
  readonly #toDelete: string[] = [];
  #deleting = false;

  constructor(private readonly options: ContainerGCOptions) {}

  start(): void {
    this.#ticker = new Ticker(this.options.clock, GC_PERIOD, () => {
      this.#ticker?.take();
      this.options.clock.go(() => void this.#garbageCollect());
    });
  }

  stop(): void {
    this.#ticker?.stop();
  }

  /**
   * Removes the exited containers of the same name but the latest. Ports deleteContainersInPod
   * (pkg/kubelet/pod_container_deletor.go).
   */
  deleteContainersInPod(exitedID: string, podStatus: RuntimePodStatus): void {
    const removeAll = this.options.shouldPodContentBeRemoved(podStatus.uid);
    const exited = podStatus.containerStatuses.find(({ id }) => id === exitedID);
    if (exited === undefined && !removeAll) return;
    const ended = podStatus.containerStatuses.filter(
      (c) => c.state === 'exited' && (removeAll || c.name === exited?.name),
    );
    for (const { id } of ended.slice(removeAll ? 0 : CONTAINERS_TO_KEEP)) this.#delete(id);
  }

  /** Removes containers in a goroutine of its own, one after another. Ports podContainerDeletor's worker. */
  #delete(id: string): void {
    this.#toDelete.push(id);
    if (this.#deleting) return;
    this.#deleting = true;
    this.options.clock.go(() => void this.#deleteAll());
  }

  async #deleteAll(): Promise<void> {
    for (let id = this.#toDelete.shift(); id !== undefined; id = this.#toDelete.shift()) {
      const container = id;
      await this.#try(() => this.options.runtime.removeContainer(container));
    }
    this.#deleting = false;
  }

  /** Ports GarbageCollect (pkg/kubelet/kuberuntime/kuberuntime_gc.go). */
  async #garbageCollect(): Promise<void> {
    await this.#try(() => this.#evictContainers());
    await this.#try(() => this.#evictSandboxes());
  }

  async #evictContainers(): Promise<void> {
    const { runtime, shouldPodContentBeRemoved } = this.options;
    for (const { uid, containers } of await runtime.getPods()) {
      const kept = shouldPodContentBeRemoved(uid) ? new Set() : keptContainers(containers);
      for (const container of [...containers].reverse()) {
        if (container.state === 'running' || kept.has(container)) continue;
        await this.#try(() => this.#remove(container));
      }
    }
  }

  async #remove({ id, state }: RuntimeContainer): Promise<void> {
    const { runtime } = this.options;
    if (state === 'unknown') await runtime.stopContainer(id, MINIMUM_GRACE_PERIOD);
    await runtime.removeContainer(id);
  }

  /** Removes sandboxes that are not ready and have no containers, all but the latest. Ports evictSandboxes. */
  async #evictSandboxes(): Promise<void> {
    const { runtime, shouldPodContentBeRemoved } = this.options;
    for (const { uid, containers, sandboxes } of await runtime.getPods()) {
      const used = new Set(containers.map(({ sandboxID }) => sandboxID));
      for (const { id, state } of sandboxes
        .slice(shouldPodContentBeRemoved(uid) ? 0 : 1)
        .reverse()) {
        if (state === 'ready' || used.has(id)) continue;
        await this.#try(async () => {
          await runtime.stopPodSandbox(id);
          await runtime.removePodSandbox(id);
        });
      }
    }
  }

  /** Ignores runtime errors: the next collection tries again. */
  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      messageOf(error);
    }
  }
}

/**
 * Returns, for each name, the latest exited container and the latest of all, which may be about to start: between its
 * creation and its start, the kubelet takes it for the latest exited one.
 */
function keptContainers(containers: readonly RuntimeContainer[]): ReadonlySet<RuntimeContainer> {
  const kept = new Set<RuntimeContainer>();
  for (const name of new Set(containers.map((container) => container.name))) {
    const named = containers.filter((container) => container.name === name);
    const ended = named.filter(({ state }) => state === 'exited' || state === 'unknown');
    for (const container of [...named.slice(0, 1), ...ended.slice(0, CONTAINERS_TO_KEEP)]) {
      kept.add(container);
    }
  }
  return kept;
}
