/** A timer that has not fired yet can be cancelled; cancelling twice, or late, does nothing. */
export interface Timer {
  cancel(): void;
}

/** What who ran by itself returns when nothing asynchronous came of it: it has begun and settled no promise. */
export const AT_REST = Symbol('at rest');

/** Time and randomness, as the engine gets them. */
export interface Clock {
  /** Milliseconds since the Unix epoch, with fractions. It never goes back. */
  now(): number;
  /** Runs `callback` once, `delay` milliseconds from now (at once when it is not positive). */
  setTimeout(callback: () => unknown, delay: number): Timer;
  /**
   * Runs `callback` by itself, as Go runs a goroutine: when who calls has come to wait for something. What follows need
   * not wait for the promises of a callback that returns AT_REST.
   */
  go(callback: () => unknown): void;
  /** A number in [0, 1). */
  random(): number;
}

/** Resolves when who calls has come to wait: what follows runs by itself. */
export function byItself(clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    clock.go(resolve);
  });
}

/** Runs `callback` by itself, `delay` milliseconds from now. */
export function goLater(clock: Clock, callback: () => unknown, delay: number): Timer {
  const onTime = (): typeof AT_REST => {
    clock.go(callback);
    return AT_REST;
  };
  return clock.setTimeout(onTime, delay);
}

/** Resolves `delay` milliseconds from now. */
export function sleep(clock: Clock, delay: number): Promise<void> {
  return new Promise((resolve) => {
    goLater(clock, resolve, delay);
  });
}

/** Waits for `work`, but no longer than `limit` milliseconds; tells which of the two ended the wait. */
export function orTimeout(
  clock: Clock,
  work: Promise<unknown>,
  limit: number,
): Promise<'done' | 'timeout'> {
  return new Promise((resolve, reject) => {
    const timer = goLater(clock, () => resolve('timeout'), limit);
    work.then(() => {
      timer.cancel();
      resolve('done');
    }, reject);
  });
}
