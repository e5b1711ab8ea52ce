import type { Inspected } from '../inspect.js';
import type { CreatedOptions } from './created-options.js';
import type { CreatedPods } from './created-pods.js';

/** Where a pod's ports answer: at published ones, or only from within its network. */
export interface PodPlace {
  /** Of a process in the pod's network. */
  readonly pid: number;
  readonly ips: readonly string[];
  readonly hostNetwork: boolean;
  readonly published: Inspected['published'];
}

/** What is known of the networks of the pods. */
export class PodNetwork {
  readonly #places = new Map<string, PodPlace>();

  constructor(
    private readonly options: Pick<CreatedOptions, 'network'>,
    private readonly pods: CreatedPods,
  ) {}

  /** A pod was looked at. */
  see(uid: string, inspected: readonly Inspected[]): void {
    const [latest] = this.pods.sandboxesOf(uid);
    const seen = inspected.find(({ id }) => id === latest?.id);
    if (latest === undefined || seen === undefined) return;
    const { pid, ips, published } = seen;
    this.#places.set(uid, { pid, ips, published, hostNetwork: latest.hostNetwork });
  }

  placeOf(uid: string): PodPlace | undefined {
    return this.#places.get(uid);
  }

  /** Whether the pods have no network but their own. */
  get isIsolated(): boolean {
    return this.options.network === 'none';
  }
}
