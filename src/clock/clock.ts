/** Timer that can be canceled before it fires; canceling later does nothing. */
export interface Timer {
  cancel(): void;
}

/** Source of time and randomness. */
export interface Clock {
  /** Milliseconds since the Unix epoch, with fractions; monotonic. */
  now(): number;
  /** Runs `callback` once, `delay` milliseconds from now. */
  setTimeout(callback: () => void, delay: number): Timer;
  /** Runs `callback` as a goroutine: once the caller waits for something. */
  go(callback: () => void): void;
  /** Returns a number in [0, 1). */
  random(): number;
  /** Starts a measurement; the function that it returns ends it, and returns the milliseconds by which this process was late. Absent where time is virtual. */
  measureLateness?(): () => number;
}

/** Resolves once the caller waits, so that the rest runs as a goroutine of its own. */
export function nextTurn(clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    clock.go(resolve);
  });
}

/** Runs `callback` as a goroutine, `delay` milliseconds from now. */
export function goLater(clock: Clock, callback: () => void, delay: number): Timer {
  return clock.setTimeout(() => clock.go(callback), delay);
}

/** Returns a function that adds work to a goroutine, which does one piece after another. */
export function serialQueue(clock: Clock): (work: () => Promise<void>) => void {
  const line: (() => Promise<void>)[] = [];
  let running = false;
  const run = async (): Promise<void> => {
    for (let work = line.shift(); work !== undefined; work = line.shift()) await work();
    running = false;
  };
  return (work) => {
    line.push(work);
    if (running) return;
    running = true;
    clock.go(() => void run());
  };
}

/** Resolves `delay` milliseconds from now. */
export function sleep(clock: Clock, delay: number): Promise<void> {
  return new Promise((resolve) => {
    goLater(clock, resolve, delay);
  });
}

/** Waits for `work`, but no longer than `limit` milliseconds. */
export function withTimeout(
  clock: Clock,
  work: Promise<unknown>,
  limit: number,
): Promise<'done' | 'timeout'> {
  return new Promise((resolve, reject) => {
    const timer = goLater(clock, () => resolve('timeout'), limit);
    const cancel = (): void => timer.cancel();
    work.then(cancel, cancel);
    work.then(() => resolve('done'), reject);
  });
}

/** Waits for work; resolves with `otherwise` when the signal aborts first. */
export function untilAborted<T, A>(
  signal: AbortSignal,
  work: Promise<T>,
  otherwise: A,
): Promise<T | A> {
  let stop = (): void => undefined;
  const aborted = new Promise<A>((resolve) => {
    stop = () => resolve(otherwise);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
  });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', stop));
}

/** Returns the next number in [0, 1). */
export type Random = () => number;

/** Returns a Mulberry32 generator, with the same numbers for the same seed. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draws the middle of the range every time. */
export const midpoint: Random = () => 0.5;
