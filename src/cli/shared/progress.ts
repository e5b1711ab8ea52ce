import { omitUndefined } from '../../api/index.js';
import { countdown } from '../../text/duration.js';
import { escapeControl } from '../../text/escape.js';
import { type Io, orAborted } from './io.js';

/** Milliseconds until the first progress line, and between two lines. */
const FIRST_DELAY = 1000;
const INTERVAL = 200;
const MAX_NAME = 60;
const CLEAR_LINE = '\r\u001b[2K';

/** Milliseconds of work that an estimate leaves out, since code is still being compiled, and that it is then based on. */
const WARM_UP = 1000;
const SAMPLE = 1000;
/** Files, runs or seconds that an estimate is based on, if they are not a tenth of all: the first ones may take far longer. */
const MIN_DONE = 20;
/** Milliseconds of the shortest remaining time that is shown. */
const MIN_REST = 2000;

interface ProgressOptions {
  /** The number to reach; with it, the remaining time is estimated from what is done. */
  readonly total?: number;
  /** The number that an estimate is based on; fewer are enough where all take about the same time. */
  readonly minDone?: number;
  /** Milliseconds. */
  readonly now?: () => number;
  /** False where the command itself prints to the terminal: then only the estimate is printed. */
  readonly isLive?: boolean;
}

/** Returns a progress line for a terminal; elsewhere, one line estimates the rest. `what` follows the number: `of 300 files`. */
export function createProgress(
  stream: Io['notes'],
  what: string,
  {
    total,
    minDone = MIN_DONE,
    now = () => performance.now(),
    isLive = stream.isTTY === true,
  }: ProgressOptions = {},
) {
  const begin = now();
  let due = begin + FIRST_DELAY;
  /** The last number of the start, which often takes longer than the rest, and its time. Estimates begin there. */
  let first: { readonly time: number; readonly done: number } | undefined;
  let shown = false;
  let estimated = isLive;
  /** Estimates the remaining milliseconds; 0 while they are unknown. */
  const restOf = (done: number): number => {
    if (first === undefined || now() - begin < WARM_UP) first = { time: now(), done };
    const [spent, more] = [now() - first.time, done - first.done];
    if (total === undefined || spent < SAMPLE || more === 0) return 0;
    return done < Math.min(minDone, total / 10) ? 0 : (spent * (total - done)) / more;
  };
  return {
    show(done: number, next = ''): void {
      const rest = restOf(done);
      const left = rest < MIN_REST ? '' : `, about ${formatRest(rest)} left`;
      if (!estimated && left !== '') {
        estimated = true;
        stream.write(`kprobe: ${done} ${what}${left}\n`);
      }
      if (!isLive || now() < due) return;
      due = now() + INTERVAL;
      const name = escapeControl(next);
      const end = name.length > MAX_NAME ? `…${name.slice(-MAX_NAME)}` : name;
      stream.write(`${CLEAR_LINE}${done} ${what}${left}${end === '' ? '' : `: ${end}`}`);
      shown = true;
    },
    clear(): void {
      if (shown) stream.write(CLEAR_LINE);
      shown = false;
    },
  };
}

function formatRest(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  return countdown(Math.round(seconds < 60 ? seconds : 60 * Math.round(seconds / 60)));
}

export async function simulationProgress<T>(
  { notes, signal }: Pick<Io, 'notes' | 'signal'>,
  work: (show: (done: number, total: number) => void) => Promise<T>,
  isLive?: boolean,
): Promise<T> {
  let progress: ReturnType<typeof createProgress> | undefined;
  try {
    const show = (done: number, total: number): void => {
      const what = `of ${Math.round(total)} s simulated`;
      progress ??= createProgress(notes, what, { total, ...omitUndefined({ isLive }) });
      progress.show(Math.round(done));
    };
    return await orAborted(signal, work(show));
  } finally {
    progress?.clear();
  }
}
