import type { Socket } from 'node:net';

import { syscallText } from '../../../go/errno.js';
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

  /** Rejects as Go's dialer would. */
  async connect(pid: number, host: string, port: number): Promise<Socket> {
    try {
      return await this.#of(pid).connect(host, port);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      throw new Error(syscallText(error, 'connect'), { cause: error });
    }
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
