import type { Socket } from 'node:net';

import { NetnsConnector } from './netns-connector.js';

/** A helper for each network namespace that is asked for, as long as it is the same process that holds it. */
export class NetnsConnectors {
  readonly #connectors = new Map<number, NetnsConnector>();

  constructor(private readonly nodePath: string) {}

  /** Whether this namespace can be entered: why not, or undefined. */
  async check(pid: number): Promise<string | undefined> {
    try {
      await this.#of(pid).ready();
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  connect(pid: number, host: string, port: number): Promise<Socket> {
    return this.#of(pid).connect(host, port);
  }

  close(): void {
    for (const connector of this.#connectors.values()) connector.close();
    this.#connectors.clear();
  }

  #of(pid: number): NetnsConnector {
    const known = this.#connectors.get(pid);
    if (known?.isOver === false) return known;
    const connector = new NetnsConnector({ pid, nodePath: this.nodePath });
    this.#connectors.set(pid, connector);
    return connector;
  }
}
