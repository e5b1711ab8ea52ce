import type { Clock } from '../../clock/clock.js';
import { Ticker } from '../../clock/ticker.js';
import type { Runtime, RuntimePod, RuntimePodStatus } from '../ports.js';
import { messageOf } from './sync-result.js';

/** Milliseconds between two collections (ContainerGCPeriod). */
const GC_PERIOD = 60_000;
/** Ended containers of one name that are kept for a look at how they ended. */
const CONTAINERS_TO_KEEP = 1;

export interface ContainerGCOptions {
  readonly clock: Clock;
  readonly runtime: Runtime;
  readonly shouldPodContentBeRemoved: (uid: string) => boolean;
}

/** Removes containers that have ended, and sandboxes that are done with. */
export class ContainerGC {
  #ticker: Ticker | undefined;

  constructor(private readonly options: ContainerGCOptions) {}

  start(): void {
    this.#ticker = new Ticker(this.options.clock, GC_PERIOD, () => {
      this.#ticker?.take();
      void this.#garbageCollect();
    });
  }

  stop(): void {
    this.#ticker?.stop();
  }

  /**
   * After a container's end, removes the ended ones of its name but the latest. Ports deleteContainersInPod
   * (pkg/kubelet/pod_container_deletor.go).
   */
  deleteContainersInPod(exitedID: string, podStatus: RuntimePodStatus): void {
    const removeAll = this.options.shouldPodContentBeRemoved(podStatus.uid);
    const exited = podStatus.containerStatuses.find(({ id }) => id === exitedID);
    if (exited === undefined && !removeAll) return;
    const ended = podStatus.containerStatuses.filter(
      (c) => c.state === 'exited' && (removeAll || c.name === exited?.name),
    );
    for (const { id } of ended.slice(removeAll ? 0 : CONTAINERS_TO_KEEP)) {
      void this.#try(() => this.options.runtime.removeContainer(id));
    }
  }

  /** Ports GarbageCollect (pkg/kubelet/kuberuntime/kuberuntime_gc.go). */
  async #garbageCollect(): Promise<void> {
    const { runtime, shouldPodContentBeRemoved } = this.options;
    await this.#try(async () => {
      for (const pod of await runtime.getPods()) {
        const removeAll = shouldPodContentBeRemoved(pod.uid);
        await this.#evictContainers(pod, removeAll);
        await this.#evictSandboxes(pod, removeAll);
      }
    });
  }

  async #evictContainers(pod: RuntimePod, removeAll: boolean): Promise<void> {
    const seen = new Map<string, number>();
    for (const { id, name, state } of pod.containers) {
      if (state !== 'exited') continue;
      const count = (seen.get(name) ?? 0) + 1;
      seen.set(name, count);
      if (!removeAll && count <= CONTAINERS_TO_KEEP) continue;
      await this.#try(() => this.options.runtime.removeContainer(id));
    }
  }

  async #evictSandboxes(pod: RuntimePod, removeAll: boolean): Promise<void> {
    const used = new Set(pod.containers.map(({ sandboxID }) => sandboxID));
    for (const { id, state } of removeAll ? pod.sandboxes : pod.sandboxes.slice(1)) {
      if (state === 'ready' || (used.has(id) && !removeAll)) continue;
      await this.#try(() => this.options.runtime.removePodSandbox(id));
    }
  }

  /** What fails now is collected the next time. */
  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      messageOf(error);
    }
  }
}
