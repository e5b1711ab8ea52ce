import type { Duplex } from 'node:stream';

import { type Container, ownField, type Pod } from '../../../api/index.js';
import { isLoopback } from '../../../go/addr.js';
import { RuntimeError } from '../../../kubelet/ports.js';
import {
  type EnginePlace,
  type EngineRoutes,
  foreignNetwork,
  foreignProcess,
} from '../engine-place.js';
import { type Inspected, isAlive } from '../inspect.js';
import type { NetnsConnectors } from '../netns.js';
import type { AttachedContainer } from './attached-container.js';
import { type AttachedContainers, SHARED_NETWORK } from './attached-containers.js';

/** Route of attempts to a container: from this machine, or from within the container's network namespace. */
export type Via = 'host' | 'exec';

interface ContainerRoutesOptions {
  readonly containers: AttachedContainers;
  readonly address: string;
  /** The flags `-p`, container port → local port, which take precedence. */
  readonly ports: ReadonlyMap<number, number>;
  readonly place: EnginePlace;
  /** The connectors of `--via exec`. */
  readonly connectors?: NetnsConnectors | undefined;
}

export class ContainerRoutes implements EngineRoutes {
  /** True once a process of a container was seen on this machine: a process that is missing later has ended. */
  #isHere = false;

  constructor(private readonly options: ContainerRoutesOptions) {}

  /** Returns the current address of a port; undefined when the container has no engine container. */
  addressOf(pod: Pod, container: Container, port: number): ContainerAddress | undefined {
    const { containers, ports, place, connectors } = this.options;
    const attached = containers.find(pod, container);
    if (attached === undefined) return undefined;
    const mapped = ports.get(port);
    if (mapped !== undefined) {
      return { kind: 'address', host: '127.0.0.1', port: mapped, route: 'mapped' };
    }
    const { seen, name } = attached;
    if (seen === undefined) return { kind: 'none', reason: `no container "${name}"` };
    if (connectors === undefined) return containerAddress(seen, port, this.#placeOf(seen, place));
    return { kind: 'address', host: seen.ips[0] ?? '127.0.0.1', port, route: 'within' };
  }

  readonly dial: EngineRoutes['dial'] = async ({ pod, container }, host, port) => {
    const { address, ports, containers } = this.options;
    const seen = containers.find(pod, container)?.seen;
    // The container whose network the pod shares has ended: the pod has no address any more.
    const isCutOff = seen?.ips.length === 0 && seen.networkMode.startsWith(SHARED_NETWORK);
    if (!this.#isPodIP(pod, host) && !isCutOff) return { host, port };
    let found = this.addressOf(pod, container, port);
    if (found?.kind === 'none') {
      await this.refresh();
      found = this.addressOf(pod, container, port);
    }
    if (found === undefined) return { host: address, port: ports.get(port) ?? port };
    if (found.kind === 'address') return found;
    const { reason, hint } = found;
    throw new RuntimeError(hint === undefined ? reason : `${reason}; ${hint}`);
  };

  /** Inspects the containers again: one that has just ended looks as if its engine ran elsewhere. */
  async refresh(): Promise<void> {
    await this.options.containers.refreshAgain().catch(() => undefined);
  }

  readonly publishedTarget: EngineRoutes['publishedTarget'] = ({ pod, container }, host, port) => {
    const { containers } = this.options;
    const found = this.#isPodIP(pod, host) ? this.addressOf(pod, container, port) : undefined;
    const holder = containers.find(pod, container)?.seen;
    const isPublished = found?.kind === 'address' && found.route === 'published';
    return isPublished && holder !== undefined ? { holder, id: holder.id } : undefined;
  };

  /** Returns the place of a container: an engine is known to be here only once one of its processes is seen. */
  #placeOf(container: Inspected, place: EnginePlace): EnginePlace {
    if (this.#isHere || place.kind !== 'here' || !isAlive(container)) return place;
    const reason = foreignNetwork(container);
    this.#isHere = reason === undefined;
    return reason === undefined ? place : { kind: 'unknown', reason };
  }

  #isPodIP({ metadata: { uid } }: Pod, host: string): boolean {
    const { address, containers } = this.options;
    return host === address || containers.podIPs(uid).includes(host);
  }

  readonly connect: EngineRoutes['connect'] = ({ pod, container }, host, port) => {
    const { connectors, containers } = this.options;
    const attached = containers.find(pod, container);
    if (connectors === undefined || attached?.seen === undefined) return undefined;
    return this.#connectWithin(connectors, attached, host, port);
  };

  async #connectWithin(
    connectors: NetnsConnectors,
    attached: AttachedContainer,
    host: string,
    port: number,
  ): Promise<Duplex> {
    if (attached.seen && foreignProcess(attached.seen) !== undefined) await this.refresh();
    const { seen, name } = attached;
    if (seen === undefined || !isAlive(seen))
      throw new RuntimeError(`container ${name} does not run`);
    return connectors.connect(seen, host, port);
  }
}

/** The address of a container's port and the way to it, or why it cannot be reached. */
export type ContainerAddress =
  | {
      readonly kind: 'address';
      readonly host: string;
      readonly port: number;
      readonly route: 'host network' | 'published' | 'container address' | 'mapped' | 'within';
    }
  /** `down` for a container that has no address because it does not run. */
  | { readonly kind: 'none' | 'down'; readonly reason: string; readonly hint?: string };

/** Returns the published port, the port of the host's network, or the container's address where it is reachable. */
export function containerAddress(
  container: Inspected,
  port: number,
  place: EnginePlace,
): ContainerAddress {
  const { name, networkMode, published, ips } = container;
  if (!isAlive(container)) return { kind: 'down', reason: `container ${name} does not run` };
  if (place.kind === 'unknown') {
    const hint = `make port ${port} reachable and name it with -p`;
    return { kind: 'none', reason: place.reason, hint };
  }
  const machine = place.kind === 'remote' ? place.host : undefined;
  if (networkMode === 'host') {
    return { kind: 'address', host: machine ?? '127.0.0.1', port, route: 'host network' };
  }
  const bound = published.find((p) => p.containerPort === port && p.protocol === 'tcp');
  if (bound !== undefined) {
    const { hostIP, hostPort } = bound;
    if (machine !== undefined && isLoopback(hostIP)) {
      const reason = `port ${port} of ${name} is published on ${hostIP} of ${machine}`;
      return { kind: 'none', reason };
    }
    const loopback = ownField(LOOPBACK_OF, hostIP);
    const host = loopback === undefined ? hostIP : (machine ?? loopback);
    return { kind: 'address', host, port: hostPort, route: 'published' };
  }
  const [ip] = ips;
  if (place.kind === 'here' && ip !== undefined) {
    return { kind: 'address', host: ip, port, route: 'container address' };
  }
  if (networkMode === 'none') {
    return { kind: 'none', reason: `${name} has no network`, hint: 'add --via exec' };
  }
  if (networkMode.startsWith(SHARED_NETWORK)) {
    const reason = `${name} is in the network of a container that does not run`;
    return { kind: 'none', reason, hint: `start that one, and then ${name} again` };
  }
  const reason = `port ${port} of ${name} is not published`;
  return { kind: 'none', reason, hint: `start it with -p ${port}:${port}, or add --via exec` };
}

const LOOPBACK_OF: Readonly<Record<string, string>> = {
  '': '127.0.0.1',
  '0.0.0.0': '127.0.0.1',
  '::': '::1',
};
