import type { Result } from '../event.js';

/** A change of a container's result, on its way to the sync loop. */
export interface ResultUpdate {
  readonly containerID: string;
  readonly result: Result;
  readonly podUID: string;
}

/**
 * The latest result by container id, for one kind of probe. A change, and only a change, is published; a removal is
 * not. Ports results.Manager (pkg/kubelet/prober/results/results_manager.go).
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
