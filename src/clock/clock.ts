/** A timer that has not fired yet can be cancelled; cancelling twice, or late, does nothing. */
export interface Timer {
  cancel(): void;
}

/** Time and randomness, as the engine gets them. */
export interface Clock {
  /** Milliseconds since the Unix epoch, with fractions. It never goes back. */
  now(): number;
  /** Runs `callback` once, `delay` milliseconds from now (at once when it is not positive). */
  setTimeout(callback: () => void, delay: number): Timer;
  /** Runs `callback` as Go runs a goroutine: once the caller waits for something. */
  go(callback: () => void): void;
  /** Returns a number in [0, 1). */
  random(): number;
}

/** Resolves once the caller waits: what follows runs as a goroutine of its own. */
export function nextTurn(clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    clock.go(resolve);
  });
}

/** Runs `callback` as a goroutine, `delay` milliseconds from now. */
export function goLater(clock: Clock, callback: () => void, delay: number): Timer {
  return clock.setTimeout(() => clock.go(callback), delay);
}

/** Resolves `delay` milliseconds from now. */
export function sleep(clock: Clock, delay: number): Promise<void> {
  return new Promise((resolve) => {
    goLater(clock, resolve, delay);
  });
}

/** Waits for `work`, but no longer than `limit` milliseconds; returns which of the two ended the wait. */
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
