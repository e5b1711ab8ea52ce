import type { Duplex } from 'node:stream';

import type { ProbeTarget } from '../../../kubelet/ports.js';
import type { Inspected } from '../inspect.js';
import type { NetnsConnectors } from '../netns.js';
import type { Created } from './created-options.js';
import { type CreatedPods, LOOPBACK } from './created-pods.js';

export interface CreatedRoutesOptions {
  readonly network: () => PodNetwork | undefined;
  readonly connectors: NetnsConnectors;
  /** Make all attempts from within. */
  readonly within: boolean;
}

/** Routes to the ports of the pods that kprobe makes: published ports, or from within the pod's network. */
export class CreatedRoutes {
  readonly #options: CreatedRoutesOptions;
  constructor(options: CreatedRoutesOptions) {
    this.#options = options;
  }

  /** Returns the address to dial in place of the kubelet's. */
  readonly dial = (
    target: ProbeTarget,
    host: string,
    port: number,
  ): { host: string; port: number } => {
    const endpoint = this.#endpoint(target);
    if (endpoint === undefined || !isOwn(endpoint, host) || this.#isWithin(endpoint))
      return { host, port };
    if (endpoint.hostNetwork) return { host: LOOPBACK, port };
    const bound = endpoint.published.find((p) => p.containerPort === port && p.protocol === 'tcp');
    return bound === undefined ? { host, port } : { host: LOOPBACK, port: bound.hostPort };
  };

  /** Connects from within the pod's network where the port is reached that way. */
  readonly connect = (
    target: ProbeTarget,
    host: string,
    port: number,
  ): Promise<Duplex> | undefined => {
    const endpoint = this.#endpoint(target);
    if (endpoint === undefined || !isOwn(endpoint, host) || !this.#isWithin(endpoint))
      return undefined;
    return this.#options.connectors.connect(endpoint.pid, host, port);
  };

  #endpoint({ pod }: ProbeTarget): PodEndpoint | undefined {
    return this.#options.network()?.endpointOf(pod.metadata.uid);
  }

  #isWithin({ hostNetwork }: PodEndpoint): boolean {
    if (hostNetwork) return false;
    return this.#options.within || this.#options.network()?.isIsolated === true;
  }
}

function isOwn({ ips }: PodEndpoint, host: string): boolean {
  return host === LOOPBACK || ips.includes(host);
}

/** The addresses of a pod's ports: published ones, or only within its network. */
export interface PodEndpoint {
  /** Of a process in the pod's network. */
  readonly pid: number;
  readonly ips: readonly string[];
  readonly hostNetwork: boolean;
  readonly published: Inspected['published'];
}

/** The networks of the pods, by their last inspection. */
export class PodNetwork {
  readonly #pods: CreatedPods;
  readonly #endpoints = new Map<string, PodEndpoint>();
  /** True when the pods have no network but their own. */
  readonly isIsolated: boolean;

  constructor({ network, pods }: Created) {
    this.#pods = pods;
    this.isIsolated = network === 'none';
  }

  /** Takes the inspection of a pod. */
  update(uid: string, inspected: readonly Inspected[]): void {
    const [latest] = this.#pods.sandboxesOf(uid);
    const seen = inspected.find(({ id }) => id === latest?.id);
    if (latest === undefined || seen === undefined) return;
    const { pid, ips, published } = seen;
    this.#endpoints.set(uid, { pid, ips, published, hostNetwork: latest.hostNetwork });
  }

  endpointOf(uid: string): PodEndpoint | undefined {
    return this.#endpoints.get(uid);
  }
}
