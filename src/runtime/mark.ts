import { randomUUID } from 'node:crypto';

/**
 * A variable in the environment of all that a runtime starts. A process that leaves its process group and its session
 * still carries it.
 */
export class Mark {
  readonly #session = randomUUID();
  readonly #variable: string;

  constructor(variable: 'KPROBE_MARK_CONTAINER' | 'KPROBE_MARK_EXEC') {
    this.#variable = variable;
  }

  /** The beginning of all marks of this runtime, as it stands in an environment. */
  get prefix(): string {
    return `${this.#variable}=${this.#session}/`;
  }

  /** The mark of one container or command, as it stands in an environment. */
  of(id: string): string {
    return `${this.prefix}${id}`;
  }

  variableOf(id: string): Readonly<Record<string, string>> {
    return { [this.#variable]: `${this.#session}/${id}` };
  }
}
