import type { ServedPod, ServerRun } from './pod-fact.js';

export interface Connection {
  readonly pod: ServedPod;
  readonly run: ServerRun;
}

/** The idle and busy connections of a client; the last one used is taken first. */
export class Connections {
  readonly #idle: Connection[] = [];
  /** By the time at which the answer is complete. */
  readonly #busy: { readonly connection: Connection; readonly until: number }[] = [];
  readonly #isOpen: (connection: Connection, at: number) => boolean;

  constructor(isOpen: (connection: Connection, at: number) => boolean) {
    this.#isOpen = isOpen;
  }

  /** Takes an idle connection that the server has not closed. */
  take(at: number): Connection | undefined {
    const done = this.#busy.findIndex(({ until }) => until > at);
    const free = this.#busy.splice(0, done === -1 ? this.#busy.length : done);
    this.#idle.push(...free.map(({ connection }) => connection));
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (this.#isOpen(idle, at)) return idle;
    }
    return undefined;
  }

  /** Keeps a connection that is busy until then. */
  keep(connection: Connection, until: number): void {
    let place = this.#busy.length;
    while ((this.#busy[place - 1]?.until ?? 0) > until) place--;
    this.#busy.splice(place, 0, { connection, until });
  }
}
