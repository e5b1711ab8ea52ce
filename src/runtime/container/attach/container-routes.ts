import type { Duplex } from 'node:stream';

import type { Container, Pod } from '../../../api/index.js';
import type { ProbeTarget } from '../../../kubelet/ports.js';
import type { NetnsConnectors } from '../netns/netns-connectors.js';
import type { AttachedView } from './attached-view.js';
import { type ContainerAddress, containerAddress } from './container-address.js';

/** How attempts get to a container: from here, or from within its network namespace. */
export type Via = 'host' | 'exec';

export interface ContainerRoutesOptions {
  readonly view: AttachedView;
  /** The address of every pod. */
  readonly address: string;
  /** Container port → local port, before all else. */
  readonly ports: ReadonlyMap<number, number>;
  readonly isNative: boolean;
  /** Of `--via exec`. */
  readonly connectors?: NetnsConnectors | undefined;
}

/** The ways to the containers' ports. */
export class ContainerRoutes {
  constructor(private readonly options: ContainerRoutesOptions) {}

  /** Where a port is reached now; undefined when no container of the engine stands for this one. */
  addressOf(pod: Pod, container: Container, port: number): ContainerAddress | undefined {
    const { view, ports, isNative, connectors } = this.options;
    const attached = view.find(pod, container);
    if (attached === undefined) return undefined;
    const mapped = ports.get(port);
    if (mapped !== undefined) {
      return { kind: 'address', host: '127.0.0.1', port: mapped, how: 'mapped' };
    }
    const { seen, name } = attached;
    if (seen === undefined) return { kind: 'none', why: `there is no container ${name}` };
    if (connectors === undefined) return containerAddress(seen, port, isNative);
    return { kind: 'address', host: seen.ips[0] ?? '127.0.0.1', port, how: 'within' };
  }

  /** Where to dial for what the kubelet would dial. */
  readonly dial = (
    { pod, container }: ProbeTarget,
    host: string,
    port: number,
  ): { host: string; port: number } => {
    const { address, ports } = this.options;
    if (host !== address) return { host, port };
    const found = this.addressOf(pod, container, port);
    if (found?.kind === 'address') return { host: found.host, port: found.port };
    return { host, port: ports.get(port) ?? port };
  };

  /** Connects from within the container's network where that is asked for. */
  readonly connect = (
    { pod, container }: ProbeTarget,
    host: string,
    port: number,
  ): Promise<Duplex> | undefined => {
    const { connectors, view } = this.options;
    const seen = view.find(pod, container)?.seen;
    return seen && connectors?.connect(seen.pid, host, port);
  };
}
