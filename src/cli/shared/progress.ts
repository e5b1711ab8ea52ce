import { escapeControl } from '../../render/text/escape.js';
import { type Io, orAborted } from './io.js';

/** Milliseconds until a command says how far it has come, and between two such lines. */
const PATIENCE = 1000;
const EVERY = 200;
const MAX_NAME = 60;
const CLEAR_LINE = '\r\u001b[2K';

/** A line on the terminal that says how far a long command has come; nothing where there is no terminal. */
export class Progress {
  readonly #stream: Io['notes'];
  readonly #what: string;
  readonly #now: () => number;
  #next: number;
  #shown = false;

  /** `what` follows the number: `of 300 files`. `now` is in milliseconds. */
  constructor(stream: Io['notes'], what: string, now: () => number = () => performance.now()) {
    this.#stream = stream;
    this.#what = what;
    this.#now = now;
    this.#next = now() + PATIENCE;
  }

  /** Shows the number that are done, and the name of the next one. */
  show(done: number, next = ''): void {
    const now = this.#now();
    if (this.#stream.isTTY !== true || now < this.#next) return;
    this.#next = now + EVERY;
    const name = escapeControl(next);
    const end = name.length > MAX_NAME ? `…${name.slice(-MAX_NAME)}` : name;
    this.#stream.write(`${CLEAR_LINE}${done} ${this.#what}${end === '' ? '' : `: ${end}`}`);
    this.#shown = true;
  }

  clear(): void {
    if (this.#shown) this.#stream.write(CLEAR_LINE);
    this.#shown = false;
  }
}

/** Shows how many seconds are simulated while the work is done. */
export async function simulationProgress<T>(
  { notes, signal }: Pick<Io, 'notes' | 'signal'>,
  work: (show: (done: number, total: number) => void) => Promise<T>,
): Promise<T> {
  let progress: Progress | undefined;
  try {
    const show = (done: number, total: number): void => {
      progress ??= new Progress(notes, `of ${Math.round(total)} s simulated`);
      progress.show(Math.round(done));
    };
    return await orAborted(signal, work(show));
  } finally {
    progress?.clear();
  }
}
