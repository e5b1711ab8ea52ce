import type { Result } from '../../trace/event.js';

/** Change of a container's result, for the sync loop. Ports Update (pkg/kubelet/prober/results/results_manager.go). */
export interface ResultUpdate {
  readonly containerID: string;
  readonly result: Result;
  readonly podUID: string;
}

/**
 * Keeps the latest result by container id for one probe type. Changes are published; removals are not. Ports
 * results.Manager (pkg/kubelet/prober/results/results_manager.go).
 */
export class ResultsManager {
  readonly #cache = new Map<string, Result>();

  constructor(private readonly publish: (update: ResultUpdate) => void) {}

  get(containerID: string): Result | undefined {
    return this.#cache.get(containerID);
  }

  set(containerID: string, result: Result, podUID: string): void {
    if (this.#cache.get(containerID) === result) return;
    this.#cache.set(containerID, result);
    this.publish({ containerID, result, podUID });
  }

  remove(containerID: string): void {
    this.#cache.delete(containerID);
  }
}

/** Results of the liveness and startup probes, by the runtime's id of the container. */
export interface ProbeResults {
  readonly liveness: (id: string) => Result | undefined;
  readonly startup: (id: string) => Result | undefined;
}
