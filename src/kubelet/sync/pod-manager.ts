import type { Pod } from '../../api/index.js';

/** The pods that are wanted, by uid. Ports basicManager (pkg/kubelet/pod/pod_manager.go). */
export class PodManager {
  readonly #pods = new Map<string, Pod>();

  getPods(): Iterable<Pod> {
    return this.#pods.values();
  }

  getPodByUID(uid: string): Pod | undefined {
    return this.#pods.get(uid);
  }

  /** Adds the pod, or puts it in place of its older version. */
  setPod(pod: Pod): void {
    this.#pods.set(pod.metadata.uid, pod);
  }

  removePod(uid: string): void {
    this.#pods.delete(uid);
  }

  has(uid: string): boolean {
    return this.#pods.has(uid);
  }
}
