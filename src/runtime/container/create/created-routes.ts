import type { Duplex } from 'node:stream';

import type { ProbeTarget } from '../../../kubelet/ports.js';
import type { Inspected } from '../inspect.js';
import type { NetnsConnectors } from '../netns.js';
import type { CreatedOptions } from './created-options.js';
import { type CreatedPods, LOOPBACK } from './created-pods.js';

export interface CreatedRoutesOptions {
  readonly network: () => PodNetwork | undefined;
  readonly connectors: NetnsConnectors;
  /** All attempts are made from within. */
  readonly within: boolean;
}

/** The ways to the ports of the pods that kprobe makes: published ones, or from within the pod's network. */
export class CreatedRoutes {
  readonly #options: CreatedRoutesOptions;
  constructor(options: CreatedRoutesOptions) {
    this.#options = options;
  }

  /** Where to dial for what the kubelet would dial. */
  readonly dial = (
    target: ProbeTarget,
    host: string,
    port: number,
  ): { host: string; port: number } => {
    const place = this.#place(target);
    if (place === undefined || !isOwn(place, host) || this.#isWithin(place)) return { host, port };
    if (place.hostNetwork) return { host: LOOPBACK, port };
    const bound = place.published.find((p) => p.containerPort === port && p.protocol === 'tcp');
    return bound === undefined ? { host, port } : { host: LOOPBACK, port: bound.hostPort };
  };

  /** Connects from within the pod's network where that is the way. */
  readonly connect = (
    target: ProbeTarget,
    host: string,
    port: number,
  ): Promise<Duplex> | undefined => {
    const place = this.#place(target);
    if (place === undefined || !isOwn(place, host) || !this.#isWithin(place)) return undefined;
    return this.#options.connectors.connect(place.pid, host, port);
  };

  #place({ pod }: ProbeTarget): PodPlace | undefined {
    return this.#options.network()?.placeOf(pod.metadata.uid);
  }

  #isWithin({ hostNetwork }: PodPlace): boolean {
    if (hostNetwork) return false;
    return this.#options.within || this.#options.network()?.isIsolated === true;
  }
}

function isOwn({ ips }: PodPlace, host: string): boolean {
  return host === LOOPBACK || ips.includes(host);
}

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
  readonly #options: Pick<CreatedOptions, 'network'>;
  readonly #pods: CreatedPods;
  readonly #places = new Map<string, PodPlace>();

  constructor(options: Pick<CreatedOptions, 'network'>, pods: CreatedPods) {
    this.#options = options;
    this.#pods = pods;
  }

  /** A pod was looked at. */
  see(uid: string, inspected: readonly Inspected[]): void {
    const [latest] = this.#pods.sandboxesOf(uid);
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
    return this.#options.network === 'none';
  }
}
