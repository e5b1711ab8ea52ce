import { parseContainerID } from '../../../kubelet/pod-name.js';
import { type ProbeTarget, RuntimeError } from '../../../kubelet/ports.js';
import { type EngineRoutes, foreignNetwork } from '../engine-place.js';
import type { Inspected } from '../inspect.js';
import type { NetnsConnectors } from '../netns.js';

/** The address of a pod whose network has no other interface. */
export const LOOPBACK = '127.0.0.1';

interface PodEndpoint extends Inspected {
  readonly hostNetwork: boolean;
}

/** Routes to the ports of the pods that kprobe makes: published ports, or from within the pod's network. */
export class PodRoutes implements EngineRoutes {
  readonly #endpoints = new Map<string, PodEndpoint>();

  /** `within`: make all attempts from within; `isHere`: the engine seems to be of this machine. */
  constructor(
    private readonly connectors: NetnsConnectors,
    private readonly within: boolean,
    private readonly isHere: boolean,
  ) {}

  update(uid: string, sandbox: Inspected, hostNetwork: boolean): void {
    this.#endpoints.set(uid, { ...sandbox, hostNetwork });
  }

  readonly dial: EngineRoutes['dial'] = (target, host, port) => {
    const endpoint = this.#endpoint(target, host);
    if (endpoint === undefined || this.#isWithin(endpoint)) return { host, port };
    const problem = this.isHere ? foreignNetwork(endpoint) : undefined;
    if (problem !== undefined) throw new RuntimeError(problem);
    if (endpoint.hostNetwork) return { host: LOOPBACK, port };
    const bound = boundPort(endpoint, port);
    return bound === undefined ? { host, port } : { host: LOOPBACK, port: bound.hostPort };
  };

  readonly publishedTarget: EngineRoutes['publishedTarget'] = (target, host, port) => {
    const holder = this.#endpoint(target, host);
    if (holder === undefined || this.#isWithin(holder) || holder.hostNetwork) return undefined;
    const isPublished = boundPort(holder, port) !== undefined;
    return isPublished ? { holder, id: parseContainerID(target.containerID) } : undefined;
  };

  readonly connect: EngineRoutes['connect'] = (target, host, port) => {
    const endpoint = this.#endpoint(target, host);
    if (endpoint === undefined || !this.#isWithin(endpoint)) return undefined;
    return this.connectors.connect(endpoint, host, port);
  };

  /** Returns the pod's endpoint when the host is the pod's own address. */
  #endpoint({ pod }: ProbeTarget, host: string): PodEndpoint | undefined {
    const endpoint = this.#endpoints.get(pod.metadata.uid);
    return host === LOOPBACK || endpoint?.ips.includes(host) === true ? endpoint : undefined;
  }

  #isWithin({ hostNetwork }: PodEndpoint): boolean {
    return this.within && !hostNetwork;
  }
}

function boundPort({ published }: Inspected, port: number) {
  return published.find(
    ({ containerPort, protocol }) => containerPort === port && protocol === 'tcp',
  );
}
