import { escapeControl } from '../../text/escape.js';
import { type Io, orAborted } from './io.js';

/** Milliseconds until a command says how far it has come, and between two such lines. */
const PATIENCE = 1000;
const EVERY = 200;
const MAX_NAME = 60;
const CLEAR_LINE = '\r\u001b[2K';

type Progress = ReturnType<typeof createProgress>;

/**
 * Makes a line on the terminal that says how far a long command has come; nothing where there is no terminal. `what`
 * follows the number: `of 300 files`. `now` is in milliseconds.
 */
export function createProgress(stream: Io['notes'], what: string, now = () => performance.now()) {
  let due = now() + PATIENCE;
  let shown = false;
  return {
    /** Shows the number that are done, and the name of the next one. */
    show(done: number, next = ''): void {
      if (stream.isTTY !== true || now() < due) return;
      due = now() + EVERY;
      const name = escapeControl(next);
      const end = name.length > MAX_NAME ? `…${name.slice(-MAX_NAME)}` : name;
      stream.write(`${CLEAR_LINE}${done} ${what}${end === '' ? '' : `: ${end}`}`);
      shown = true;
    },
    clear(): void {
      if (shown) stream.write(CLEAR_LINE);
      shown = false;
    },
  };
}

/** Shows how many seconds are simulated while the work is done. */
export async function simulationProgress<T>(
  { notes, signal }: Pick<Io, 'notes' | 'signal'>,
  work: (show: (done: number, total: number) => void) => Promise<T>,
): Promise<T> {
  let progress: Progress | undefined;
  try {
    const show = (done: number, total: number): void => {
      progress ??= createProgress(notes, `of ${Math.round(total)} s simulated`);
      progress.show(Math.round(done));
    };
    return await orAborted(signal, work(show));
  } finally {
    progress?.clear();
  }
}
