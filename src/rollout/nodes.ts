import type { ApiPod } from './controllers/objects.js';
import { isPodTerminal } from './controllers/pod-util.js';

/** Nodes, and the number of pods on each. */
export class Nodes {
  readonly #pods: Map<string, number>;
  readonly #cordoned = new Set<string>();

  constructor(names: readonly string[]) {
    this.#pods = new Map(names.map((name) => [name, 0]));
  }

  get names(): readonly string[] {
    return [...this.#pods.keys()];
  }

  cordon(name: string): void {
    this.#cordoned.add(name);
  }

  /** Returns the node with the fewest pods; undefined when all are cordoned. */
  schedule(): string | undefined {
    let best: string | undefined;
    for (const [name, count] of this.#pods) {
      if (this.#cordoned.has(name)) continue;
      if (best === undefined || count < (this.#pods.get(best) ?? 0)) best = name;
    }
    return best;
  }

  /** Counts a pod as it was and as it is; absent when it was not or is no more. */
  count(before: ApiPod | undefined, after: ApiPod | undefined): void {
    for (const [pod, by] of [[before, -1] as const, [after, 1] as const]) {
      const node = pod === undefined || isPodTerminal(pod) ? '' : (pod.spec.nodeName ?? '');
      if (node !== '') this.#pods.set(node, (this.#pods.get(node) ?? 0) + by);
    }
  }
}
