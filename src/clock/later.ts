import { AT_REST, type Clock, goLater } from './clock.js';

type Step = (value: unknown) => unknown;

/**
 * What a clock's callback will bring. Who waits goes on within that callback, not in a microtask after it. It is never
 * rejected, and waited for by one alone: what is done then is a step of a chain, and `then` gives the chain back.
 */
export class Later<T> implements PromiseLike<T> {
  constructor(
    private readonly steps: Step[] = [],
    private settled = false,
    private value?: unknown,
  ) {}

  /** One that is there already. */
  static of<T>(value: T): Later<T> {
    return new Later<T>([], true, value);
  }

  /** What has come of waiting: AT_REST as long as nothing has, what the last step returned, or undefined of a promise. */
  static cameOf(waited: PromiseLike<unknown>): unknown {
    if (!(waited instanceof Later)) return undefined;
    return waited.settled ? waited.value : AT_REST;
  }

  /** Takes the steps; returns AT_REST when the last one returned that, which says that nothing asynchronous came of it. */
  settle(value: T): unknown {
    return this.goOn(value, 0);
  }

  then<A = T>(onValue?: ((value: T) => A | PromiseLike<A>) | null): PromiseLike<A> {
    const chain = this as PromiseLike<unknown> as PromiseLike<A>;
    if (onValue === undefined || onValue === null) return chain;
    if (!this.settled) {
      this.steps.push(onValue as Step);
      return chain;
    }
    const come = onValue(this.value as T);
    return isThenable(come) ? come : Later.of(come);
  }

  private goOn(value: unknown, from: number): unknown {
    const { steps } = this;
    let came = value;
    for (let step = from; step < steps.length; step++) {
      came = steps[step]?.(came);
      if (isThenable(came)) return this.waitFor(came, step + 1);
    }
    this.settled = true;
    this.value = came;
    return came;
  }

  private waitFor(other: PromiseLike<unknown>, step: number): unknown {
    return Later.cameOf(other.then((value) => this.goOn(value, step)));
  }
}

/** The value, so many milliseconds from now. */
export function after<T>(clock: Clock, delay: number, value: T): Later<T> {
  const later = new Later<T>();
  goLater(clock, () => later.settle(value), delay);
  return later;
}

function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value;
}
