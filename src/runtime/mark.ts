import { randomUUID } from 'node:crypto';

const VARIABLE = 'KPROBE_CONTAINER';

/**
 * A variable in the environment of all that a runtime starts. Whoever leaves its process group and its session
 * still carries it, and is known by it.
 */
export class Mark {
  readonly #runtime = randomUUID();

  /** What the marks of all containers begin with. */
  get prefix(): string {
    return `${VARIABLE}=${this.#runtime}/`;
  }

  variableOf(containerID: string): Readonly<Record<string, string>> {
    return { [VARIABLE]: `${this.#runtime}/${containerID}` };
  }

  /** A container's mark as it stands in an environment. */
  of(containerID: string): string {
    return `${this.prefix}${containerID}`;
  }
}
