import { randomUUID } from 'node:crypto';

const VARIABLE = 'KPROBE_EXEC';

/** The variable by which all that kprobe's commands start in containers is known, wherever it goes. */
export class ExecMarks {
  readonly #session = randomUUID();
  #next = 0;

  /** The mark of the next command, as it stands in an environment. */
  next(): string {
    return `${this.prefix}${this.#next++}`;
  }

  /** What the marks of all commands begin with. */
  get prefix(): string {
    return `${VARIABLE}=${this.#session}/`;
  }
}
