import type { Clock, Timer } from './clock.js';

/** Milliseconds of Node's longest timer; a longer one would fire at once. */
const MAX_TIMER = 2 ** 31 - 1;

/** The wall clock's time at the monotonic clock's zero. */
const ORIGIN = Date.now() - monotonic();

/** Milliseconds, without `performance`, which Node loads at first use and which would slow every start. */
function monotonic(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}

/** Milliseconds between two measurements of lateness, and the lateness that every timer may have. */
const MEASURE_PERIOD = 50;
const USUAL_LATENESS = 10;

/** The machine's time on its monotonic clock: a corrected wall clock moves no timer. */
export class RealClock implements Clock {
  #measuring = 0;
  #lateness = 0;
  #measureDue = 0;
  #measureTimer: NodeJS.Timeout | undefined;

  now(): number {
    return ORIGIN + monotonic();
  }

  random(): number {
    return Math.random();
  }

  go(callback: () => void): void {
    setImmediate(callback);
  }

  measureLateness(): () => number {
    if (this.#measuring++ === 0) this.#nextBeat();
    const before = this.#latenessNow();
    return () => {
      const lateness = this.#latenessNow() - before;
      if (--this.#measuring === 0) clearTimeout(this.#measureTimer);
      return lateness;
    };
  }

  #nextBeat(): void {
    this.#measureDue = this.now() + MEASURE_PERIOD;
    const onMeasure = (): void => {
      this.#lateness = this.#latenessNow();
      this.#nextBeat();
    };
    this.#measureTimer = setTimeout(onMeasure, MEASURE_PERIOD).unref();
  }

  /** Counts a beat that is due as well. */
  #latenessNow(): number {
    const late = this.now() - this.#measureDue;
    return this.#lateness + (late < USUAL_LATENESS ? 0 : late);
  }

  setTimeout(callback: () => void, delay: number): Timer {
    const due = this.now() + delay;
    let timer: NodeJS.Timeout;
    const wait = (): void => {
      const left = due - this.now();
      timer = setTimeout(
        left > MAX_TIMER ? wait : callback,
        Math.max(0, Math.min(left, MAX_TIMER)),
      );
    };
    wait();
    return {
      cancel: () => {
        clearTimeout(timer);
      },
    };
  }
}
