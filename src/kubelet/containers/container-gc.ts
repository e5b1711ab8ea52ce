import { type Clock, serialQueue } from '../../clock/clock.js';
import { Ticker } from '../../clock/ticker.js';
import type { Runtime, RuntimeContainer, RuntimePodStatus } from '../ports.js';
import { ignoreFailure } from '../sync-result.js';
import { MINIMUM_GRACE_PERIOD } from './termination-grace-period.js';

/** Milliseconds between two collections (ContainerGCPeriod). */
const GC_PERIOD = 60_000;
/** Number of exited containers of the same name that are kept for inspection. */
const CONTAINERS_TO_KEEP = 1;

/** Removes exited containers and old sandboxes. Ports containerGC and podContainerDeletor (pkg/kubelet). */
export class ContainerGC {
  #ticker: Ticker | undefined;
  /** Adds a removal; they run one after another, as in podContainerDeletor's goroutine. */
  readonly #delete: (work: () => Promise<void>) => void;

  constructor(
    private readonly clock: Clock,
    private readonly runtime: Runtime,
    private readonly shouldPodContentBeRemoved: (uid: string) => boolean,
  ) {
    this.#delete = serialQueue(clock);
  }

  start(): void {
    this.#ticker = new Ticker(this.clock, GC_PERIOD, () => {
      this.#ticker?.take();
      this.clock.go(() => void this.#garbageCollect());
    });
  }

  stop(): void {
    this.#ticker?.stop();
  }

  /**
   * Removes the exited containers of the same name, except the latest. Ports deleteContainersInPod
   * (pkg/kubelet/pod_container_deletor.go).
   */
  deleteContainersInPod(exitedID: string, podStatus: RuntimePodStatus): void {
    const removeAll = this.shouldPodContentBeRemoved(podStatus.uid);
    const exited = podStatus.containerStatuses.find(({ id }) => id === exitedID);
    if (exited === undefined && !removeAll) return;
    const exitedContainers = podStatus.containerStatuses.filter(
      (c) => c.state === 'exited' && (removeAll || c.name === exited?.name),
    );
    for (const { id } of exitedContainers.slice(removeAll ? 0 : CONTAINERS_TO_KEEP)) {
      this.#delete(() => ignoreFailure(this.runtime.removeContainer(id)));
    }
  }

  /** Ports GarbageCollect (pkg/kubelet/kuberuntime/kuberuntime_gc.go). */
  async #garbageCollect(): Promise<void> {
    await ignoreFailure(this.#evictContainers());
    await ignoreFailure(this.#evictSandboxes());
  }

  async #evictContainers(): Promise<void> {
    for (const { uid, containers } of await this.runtime.getPods()) {
      const kept = this.shouldPodContentBeRemoved(uid) ? new Set() : keptContainers(containers);
      for (const container of [...containers].reverse()) {
        if (container.state === 'running' || kept.has(container)) continue;
        await ignoreFailure(this.#remove(container));
      }
    }
  }

  async #remove({ id, state }: RuntimeContainer): Promise<void> {
    if (state === 'unknown') await this.runtime.stopContainer(id, MINIMUM_GRACE_PERIOD);
    await this.runtime.removeContainer(id);
  }

  /** Removes sandboxes that are not ready and have no containers, all but the latest. Ports evictSandboxes. */
  async #evictSandboxes(): Promise<void> {
    for (const { uid, containers, sandboxes } of await this.runtime.getPods()) {
      const used = new Set(containers.map(({ sandboxID }) => sandboxID));
      const old = sandboxes.slice(this.shouldPodContentBeRemoved(uid) ? 0 : 1).reverse();
      for (const { id, state } of old) {
        if (state !== 'ready' && !used.has(id)) await ignoreFailure(this.#removeSandbox(id));
      }
    }
  }

  async #removeSandbox(id: string): Promise<void> {
    await this.runtime.stopPodSandbox(id);
    await this.runtime.removePodSandbox(id);
  }
}

/**
 * Returns, for each name, the latest exited container, and the latest of any state, which may be about to start.
 * The kubelet counts a container that is created but not started as the latest exited one.
 */
function keptContainers(containers: readonly RuntimeContainer[]): ReadonlySet<RuntimeContainer> {
  const kept = new Set<RuntimeContainer>();
  for (const name of new Set(containers.map((container) => container.name))) {
    const sameName = containers.filter((container) => container.name === name);
    const exited = sameName.filter(({ state }) => state === 'exited' || state === 'unknown');
    for (const container of [...sameName.slice(0, 1), ...exited.slice(0, CONTAINERS_TO_KEEP)]) {
      kept.add(container);
    }
  }
  return kept;
}
